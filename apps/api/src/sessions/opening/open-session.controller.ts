import { OpenChildSession, OpenSession } from '@app/application';
import { UNKNOWN_MODEL } from '@app/domain';
import { Body, Controller, Inject } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { CalledBy, type Calling } from '../../http/calling.js';
import { Endpoint } from '../../http/endpoint.js';
import { valid } from '../../http/valid.js';
import { jsonObject, profile, sessionId, window } from '../shapes.js';

const body = z.strictObject({
  session: sessionId,
  model: z.string().min(1).max(200).default(UNKNOWN_MODEL).describe('The model that its requests go to'),
  window: window.optional().describe('Tokens; 0 is unlimited. The model’s where it is not given'),
  profile: profile.default('core'),
  system: z.string().default('').describe('Its system prompt'),
  tools: z.array(jsonObject).default([]),
  labels: z.record(z.string().max(64), z.string().max(256)).default({}),
  parent: sessionId.optional().describe('The session that it is a child of'),
  mandate: z.string().min(1).optional().describe('What a child is told to do: pinned'),
});

const response = z.looseObject({
  session: z.string(),
  model: z.string(),
  limits: z.looseObject({ window: z.int(), windowSource: z.string() }),
});

/** `POST /v1/sessions` */
@Controller()
export class OpenSessionController {
  constructor(@Inject(CommandBus) private readonly commands: CommandBus) {}

  @Endpoint('POST', 'v1/sessions', {
    summary: 'Begins a session, alone or as the child of another.',
    roles: ['agent', 'admin'],
    content: 'none',
    status: 201,
    body,
    response,
    errors: ['session-already-open', 'unknown-profile', 'unknown-window', 'invalid-settings'],
  })
  async open(@Body(valid(body)) given: z.output<typeof body>, @CalledBy() { session, caller }: Calling) {
    const { session: id, parent, mandate, system, window: size, ...rest } = given;
    const own = { ...rest, systemPrompt: system, ...(size !== undefined && { window: size }) };
    const ref = session(id);
    const { limits } = await this.commands.execute(
      parent === undefined
        ? new OpenSession(ref, own, caller)
        : new OpenChildSession(ref, { ...own, parent, ...(mandate !== undefined && { mandate }) }, caller),
    );
    return { session: id, model: given.model, limits };
  }
}
