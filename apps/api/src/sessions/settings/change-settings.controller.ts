import { ChangeSettings } from '@app/application';
import { jsonObject, profileSource, settings } from '@app/contract';
import { Body, Controller, Inject, Param } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { type ApiCaller, CurrentCaller } from '../../http/current-caller.js';
import { Endpoint } from '../../http/endpoint.js';
import { listOf } from '../../http/list-of.js';
import { valid } from '../../http/valid.js';
import { customer, labelChanges, project, title, user, withIdentity } from '../description.js';
import { MANAGERS } from '../roles.js';
import { modelName, window } from '../shapes.js';

const body = z.strictObject({
  profile: profileSource.optional(),
  overrides: jsonObject.optional().describe('Single fields of the profile'),
  window: window.optional(),
  model: modelName.optional().describe('The model that the next requests go to'),
  system: z.string().optional().describe('The system prompt of the next requests'),
  tools: listOf(jsonObject).optional().describe('The tools of the next requests'),
  title: title.nullable().optional().describe('Its title; `null` removes it'),
  project: project.nullable().optional().describe('Its project; `null` removes it'),
  user: user.nullable().optional().describe('The label `user`; `null` removes it'),
  customer: customer
    .nullable()
    .optional()
    .describe('The label `customer`, a data subject of later content; `null` removes it'),
  labels: labelChanges.optional().describe('Labels to set; `null` removes one, others stay'),
});

/** `PATCH /v1/sessions/:session/settings` */
@Controller()
export class ChangeSettingsController {
  constructor(@Inject(CommandBus) private readonly commands: CommandBus) {}

  @Endpoint('PATCH', 'v1/sessions/:session/settings', {
    id: 'changeSettings',
    summary: 'Changes the named settings of a session.',
    roles: MANAGERS,
    content: 'none',
    body,
    response: settings,
    errors: ['session-not-found', 'session-closed', 'unknown-profile', 'unknown-window', 'invalid-settings'],
  })
  change(
    @Param('session') id: string,
    @Body(valid(body)) given: z.output<typeof body>,
    @CurrentCaller() { session, caller }: ApiCaller,
  ) {
    const labels = withIdentity<string | null>(given, given.labels);
    const change = {
      ...(given.profile !== undefined && { profile: given.profile }),
      ...(given.overrides && { overrides: given.overrides }),
      ...(given.window !== undefined && { window: given.window }),
      ...(given.model !== undefined && { model: given.model }),
      ...(given.system !== undefined && { systemPrompt: given.system }),
      ...(given.tools && { tools: given.tools }),
      ...(given.title !== undefined && { title: given.title }),
      ...(given.project !== undefined && { project: given.project }),
      ...(Object.keys(labels).length > 0 && { labels }),
    };
    return this.commands.execute(new ChangeSettings(session(id), change, caller));
  }
}
