import {
  CloseSession,
  FindSubjects,
  ForkSession,
  OpenChildSession,
  OpenSession,
  ResetSession,
} from '@app/application';
import { closed, forked, jsonObject, opened, profileSource, resetDone } from '@app/contract';
import { UNKNOWN_MODEL } from '@app/domain';
import { Body, Controller } from '@nestjs/common';
import { z } from 'zod';
import { type ApiCaller, BusController, CurrentCaller } from '../../http/controller.js';
import { Endpoint } from '../../http/endpoint.js';
import { listOf, valid } from '../../http/valid.js';

import { agentName, customer, labels, project, title, user, withIdentity } from '../description.js';
import { MANAGERS, WRITERS } from '../roles.js';
import { asOf, modelName, reasonBody, sessionId, subjectNames, window } from '../shapes.js';

const body = z.strictObject({
  session: sessionId,
  model: modelName.default(UNKNOWN_MODEL).describe('Model of its requests'),
  window: window.exactOptional().describe('Window in tokens, 0 is unlimited; the model’s by default'),
  profile: profileSource.default('core'),
  system: z.string().default('').describe('Its system prompt'),
  tools: listOf(jsonObject).default([]),
  title: title.exactOptional().describe('Its title'),
  agent: agentName.exactOptional().describe('Agent program, such as claude-code'),
  project: project.exactOptional().describe('A working folder, a repository or a name'),
  user: user.exactOptional().describe('ID of the session’s user, stored as the label `user`'),
  customer: customer
    .exactOptional()
    .describe(
      'ID of the session’s customer, stored as the label `customer` and as a data subject of all its content',
    ),
  labels: labels.default({}),
  subjects: subjectNames.default([]).describe('Data subjects of all its content, such as customers'),
  parent: sessionId.exactOptional().describe('Parent session'),
  mandate: z.string().min(1).exactOptional().describe('Task of a child session, which is pinned'),
});

const forkSessionBody = z.strictObject({
  as: sessionId.describe('ID of the new session'),
  at: asOf
    .exactOptional()
    .describe('A revision, a time or a request ID whose context the copy gets; the newest by default'),
});

const resetSessionBody = z.strictObject({
  confirm: z.boolean().default(false).describe('Must be `true`: confirms that the context is cleared'),
  ...reasonBody.shape,
});

/** Opens, forks, resets and closes sessions. */
@Controller()
export class LifecycleController extends BusController {
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
    ],
  })
  async open(
    @Body(valid(body)) given: z.output<typeof body>,
    @CurrentCaller() { tenant, caller }: ApiCaller,
  ) {
    const { session: id, parent, mandate, system, subjects, user: _, customer: __, ...rest } = given;
    const own = {
      ...rest,
      systemPrompt: system,
      labels: withIdentity(given, given.labels),
      ...(subjects.length > 0 && {
        subjects: await this.queries.execute(new FindSubjects(tenant, subjects)),
      }),
    };
    const ref = { tenant, session: id };
    const { limits } = await this.commands.execute(
      parent === undefined
        ? new OpenSession(ref, own, caller)
        : new OpenChildSession(ref, { ...own, parent, ...(mandate !== undefined && { mandate }) }, caller),
    );
    return { session: id, model: given.model, limits };
  }

  @Endpoint('POST', 'v1/sessions/:session/fork', {
    id: 'forkSession',
    summary: 'Copies the context of a session into a new session.',
    roles: WRITERS,
    content: 'none',
    status: 201,
    body: forkSessionBody,
    response: forked,
    errors: ['session-not-found', 'revision-not-found', 'request-not-found', 'session-already-open'],
  })
  fork(
    @Body(valid(forkSessionBody)) request: z.output<typeof forkSessionBody>,
    @CurrentCaller() { ref, caller }: ApiCaller,
  ) {
    return this.commands.execute(new ForkSession(ref, request, caller));
  }

  @Endpoint('POST', 'v1/sessions/:session/reset', {
    id: 'resetSession',
    summary: 'Clears the context down to the current user input; the log keeps everything.',
    roles: MANAGERS,
    content: 'none',
    body: resetSessionBody,
    response: resetDone,
    errors: ['session-not-found', 'session-closed', 'confirmation-required'],
  })
  reset(
    @Body(valid(resetSessionBody)) request: z.output<typeof resetSessionBody>,
    @CurrentCaller() { ref, caller }: ApiCaller,
  ) {
    return this.commands.execute(new ResetSession(ref, request, caller));
  }

  @Endpoint('POST', 'v1/sessions/:session/close', {
    id: 'closeSession',
    summary: 'Closes a session.',
    roles: MANAGERS,
    content: 'none',
    body: reasonBody,
    response: closed,
    errors: ['session-not-found'],
  })
  async close(
    @Body(valid(reasonBody)) { reason: why }: z.output<typeof reasonBody>,
    @CurrentCaller() { ref, caller }: ApiCaller,
  ) {
    await this.commands.execute(new CloseSession(ref, why, caller));
    return { session: ref.session, closed: true as const };
  }
}
