import { ChangeSettings } from '@app/application';
import { Body, Controller, Inject, Param } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { CalledBy, type Calling } from '../../http/calling.js';
import { Endpoint } from '../../http/endpoint.js';
import { listOf } from '../../http/list-of.js';
import { valid } from '../../http/valid.js';
import { MANAGERS } from '../roles.js';
import { jsonObject, modelName, profile, window } from '../shapes.js';

const body = z.strictObject({
  profile: profile.optional(),
  overrides: jsonObject.optional().describe('Single fields of the profile'),
  window: window.optional(),
  model: modelName.optional().describe('The model that the next requests go to'),
  system: z.string().optional().describe('The system prompt of the next requests'),
  tools: listOf(jsonObject).optional().describe('The tools of the next requests'),
});

const response = z.looseObject({
  profile: jsonObject,
  window: z.int(),
  model: z.string(),
  changed: z.array(z.string()).describe('What this request has changed'),
});

/** `PATCH /v1/sessions/:session/settings` */
@Controller()
export class ChangeSettingsController {
  constructor(@Inject(CommandBus) private readonly commands: CommandBus) {}

  @Endpoint('PATCH', 'v1/sessions/:session/settings', {
    summary: 'Changes the settings that it names, from the next check of the budget on.',
    roles: MANAGERS,
    content: 'none',
    body,
    response,
    errors: ['session-not-found', 'session-closed', 'unknown-profile', 'unknown-window', 'invalid-settings'],
  })
  change(
    @Param('session') id: string,
    @Body(valid(body)) given: z.output<typeof body>,
    @CalledBy() { session, caller }: Calling,
  ) {
    const change = {
      ...(given.profile !== undefined && { profile: given.profile }),
      ...(given.overrides && { overrides: given.overrides }),
      ...(given.window !== undefined && { window: given.window }),
      ...(given.model !== undefined && { model: given.model }),
      ...(given.system !== undefined && { systemPrompt: given.system }),
      ...(given.tools && { tools: given.tools }),
    };
    return this.commands.execute(new ChangeSettings(session(id), change, caller));
  }
}
