import { OpenChildSession, OpenSession } from '@app/application';
import { UNKNOWN_MODEL } from '@app/domain';
import { isJsonObject, isName, isWellFormed, LIMITS } from '@app/kernel';
import { Body, Controller, Inject } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { CalledBy, type Calling } from '../../http/calling.js';
import { Endpoint } from '../../http/endpoint.js';
import { listOf } from '../../http/list-of.js';
import { valid } from '../../http/valid.js';
import { jsonObject, modelName, profile, sessionId, window } from '../shapes.js';

/** A label of any name: a record of zod's would leave `__proto__` out without a word. */
const labels = z
  .custom<Readonly<Record<string, string>>>(
    (given) =>
      isJsonObject(given) &&
      Object.keys(given).length <= LIMITS.labels.max &&
      Object.entries(given).every(
        ([name, value]) =>
          isName(name, LIMITS.labelName.max) &&
          typeof value === 'string' &&
          value.length <= LIMITS.labelValue.max &&
          isWellFormed(value),
      ),
    `give at most ${LIMITS.labels.max} texts of at most ${LIMITS.labelValue.max} characters by names of at most ${LIMITS.labelName.max}`,
  )
  .meta({
    type: 'object',
    maxProperties: LIMITS.labels.max,
    propertyNames: { type: 'string', minLength: 1, maxLength: LIMITS.labelName.max },
    additionalProperties: { type: 'string', maxLength: LIMITS.labelValue.max },
  });

const body = z.strictObject({
  session: sessionId,
  model: modelName.default(UNKNOWN_MODEL).describe('The model that its requests go to'),
  window: window.optional().describe('Tokens; 0 is unlimited. The model’s where it is not given'),
  profile: profile.default('core'),
  system: z.string().default('').describe('Its system prompt'),
  tools: listOf(jsonObject).default([]),
  labels: labels.default({}),
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
