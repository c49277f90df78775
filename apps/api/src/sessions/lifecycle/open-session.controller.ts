import { FindSubjects, OpenChildSession, OpenSession } from '@app/application';
import { jsonObject, opened, profileSource } from '@app/contract';
import { UNKNOWN_MODEL } from '@app/domain';
import { Body, Controller, Inject } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { type ApiCaller, CurrentCaller } from '../../http/current-caller.js';
import { Endpoint } from '../../http/endpoint.js';
import { listOf } from '../../http/list-of.js';
import { valid } from '../../http/valid.js';
import { agentName, customer, labels, project, title, user, withIdentity } from '../description.js';
import { modelName, sessionId, subjectNames, window } from '../shapes.js';

const body = z.strictObject({
  session: sessionId,
  model: modelName.default(UNKNOWN_MODEL).describe('The model that its requests go to'),
  window: window.optional().describe('Tokens; 0 is unlimited. The model’s where it is not given'),
  profile: profileSource.default('core'),
  system: z.string().default('').describe('Its system prompt'),
  tools: listOf(jsonObject).default([]),
  title: title.optional().describe('Its title'),
  agent: agentName.optional().describe('The program that carries it on, such as claude-code'),
  project: project.optional().describe('A working folder, a repository or a name'),
  user: user.optional().describe('ID of the user it works for: the label `user`'),
  customer: customer
    .optional()
    .describe(
      'ID of the caller’s customer: the label `customer`, and a data subject whose content all of it is',
    ),
  labels: labels.default({}),
  subjects: subjectNames.default([]).describe('Data subjects whose content all of it is, such as customers'),
  parent: sessionId.optional().describe('The session that it is a child of'),
  mandate: z.string().min(1).optional().describe('What a child is told to do: pinned'),
});

/** `POST /v1/sessions` */
@Controller()
export class OpenSessionController {
  constructor(
    @Inject(CommandBus) private readonly commands: CommandBus,
    @Inject(QueryBus) private readonly queries: QueryBus,
  ) {}

  @Endpoint('POST', 'v1/sessions', {
    id: 'openSession',
    summary: 'Opens a session, alone or as the child of another session.',
    roles: ['agent', 'admin'],
    content: 'none',
    status: 201,
    body,
    response: opened,
    errors: [
      'session-not-found',
      'session-closed',
      'session-already-open',
      'unknown-profile',
      'unknown-window',
      'invalid-settings',
      'erasure-in-progress',
    ],
  })
  async open(
    @Body(valid(body)) given: z.output<typeof body>,
    @CurrentCaller() { tenant, session, caller }: ApiCaller,
  ) {
    const {
      session: id,
      parent,
      mandate,
      system,
      window: size,
      title: _,
      agent,
      project: __,
      subjects,
      user: ___,
      customer: ____,
      ...rest
    } = given;
    const own = {
      ...rest,
      systemPrompt: system,
      labels: withIdentity(given, given.labels),
      ...(size !== undefined && { window: size }),
      ...(given.title !== undefined && { title: given.title }),
      ...(agent !== undefined && { agent }),
      ...(given.project !== undefined && { project: given.project }),
      ...(subjects.length > 0 && {
        subjects: await this.queries.execute(new FindSubjects(tenant, subjects)),
      }),
    };
    const ref = session(id);
    const { limits } = await this.commands.execute(
      parent === undefined
        ? new OpenSession(ref, own, caller)
        : new OpenChildSession(ref, { ...own, parent, ...(mandate !== undefined && { mandate }) }, caller),
    );
    return { session: id, model: given.model, limits };
  }
}
