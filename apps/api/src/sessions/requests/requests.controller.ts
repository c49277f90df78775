import {
  AppendAndCompose,
  ComposeRequest,
  ContextOverflowError,
  ReportEdits,
  ReportOverflow,
} from '@app/application';
import {
  composed,
  composedByReference,
  editsReported,
  ladderPolicy,
  overflowAnswer,
  wireFormat,
} from '@app/contract';
import { type EventData, largestText, remedyTexts } from '@app/domain';
import { providerEditsFrom } from '@app/formats';
import { defined, isJsonObject, type Json } from '@app/kernel';
import { Body, Controller, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AnswerInterceptor } from '../../http/answer.interceptor.js';
import { type ApiCaller, apiCallerOf, BusController, CurrentCaller } from '../../http/controller.js';
import { Endpoint } from '../../http/endpoint.js';
import { DetailedRefusal } from '../../http/problems.js';
import { valid, validated } from '../../http/valid.js';
import { WRITERS } from '../roles.js';
import { conversationMembers, reasoned, withFingerprints } from '../shapes.js';

const contribution = z
  .strictObject({ name: z.string(), text: z.string() })
  .meta({ id: 'Contribution', description: 'A text for one request, which is not part of the history' });

const composeOptions = {
  override: reasoned.exactOptional().describe('Lets this turn continue although a compaction is required'),
  ladder: ladderPolicy
    .exactOptional()
    .describe('Ladder policy of this request; the profile’s by default. `off` returns an error'),
  contributions: z.array(contribution).max(100).default([]).describe('Contributions to this request only'),
};

const composeRequestBody = z
  .strictObject({
    format: wireFormat.default('anthropic').describe('Provider format of the request'),
    ...composeOptions,
    withBody: z
      .boolean()
      .default(false)
      .describe('Adds `body`: the exact text of the request, for a caller that sends or hashes these bytes'),
  })
  .meta({ id: 'ComposeOptions' });

const { messages: newMessages, ...bill } = conversationMembers(0);
const appendAndComposeBody = z
  .strictObject({ messages: newMessages.default([]), ...bill, ...composeOptions })
  .meta({ id: 'AppendAndComposeRequest' });

const reportEditsBody = z
  .custom<Json>((value) => isJsonObject(value) || Array.isArray(value), 'give an object or a list')
  .refine(
    (value) => providerEditsFrom(value) !== undefined,
    'give an answer with context_management or content, or a list of edits',
  )
  .meta({ description: 'An answer of Anthropic’s messages, or the list of its `applied_edits`' });

const reportOverflowBody = z.strictObject({
  message: z.string().min(1).max(10_000).describe('Error message of the provider'),
  status: z.int().min(100).max(599).exactOptional().describe('HTTP status of the provider'),
  code: z.string().max(200).exactOptional().describe('Error code of the provider'),
});

/** Composes requests, and takes reports about them. */
@Controller()
export class RequestsController extends BusController {
  @Inject(AnswerInterceptor) private readonly answers!: AnswerInterceptor;

  @Endpoint('POST', 'v1/sessions/:session/compose', {
    id: 'composeRequest',
    summary: 'Composes the next provider request of a session.',
    roles: WRITERS,
    content: 'request',
    answersItself: true,
    body: composeRequestBody,
    response: composed,
    errors: [
      'session-not-found',
      'session-closed',
      'request-refused',
      'context-overflow',
      'invalid-settings',
    ],
  })
  compose(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    return this.answers.answer(request, reply, async () => {
      const options = await validated(composeRequestBody, request.body);
      const { ref, caller } = apiCallerOf(request);
      return composedOrRefused(this.commands.execute(new ComposeRequest(ref, options, caller)));
    });
  }

  @Endpoint('POST', 'v1/sessions/:session/append-and-compose', {
    id: 'appendAndCompose',
    summary: 'Appends messages, and composes the next request as references to messages of the session.',
    roles: ['agent', 'admin'],
    content: 'request',
    appends: true,
    answersItself: true,
    body: appendAndComposeBody,
    response: composedByReference,
    errors: [
      'session-not-found',
      'session-closed',
      'message-conflict',
      'invalid-settings',
      'append-too-large',
      'erasure-in-progress',
      'request-not-found',
      'request-refused',
      'context-overflow',
    ],
  })
  appendAndCompose(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    return this.answers.answer(request, reply, async () => {
      const given = await validated(appendAndComposeBody, request.body);
      const { messages, after, usage, stopReason, ...options } = given;
      const { tenant, ref, caller } = apiCallerOf(request);
      const conversation = {
        messages: await withFingerprints(this.queries, tenant, messages),
        ...defined({ after, usage, stopReason }),
      };
      return composedOrRefused(
        this.commands.execute(new AppendAndCompose(ref, { conversation, options }, caller)),
      );
    });
  }

  @Endpoint('POST', 'v1/sessions/:session/report-edits', {
    id: 'reportEdits',
    summary: 'Reports the context edits that the provider applied.',
    roles: WRITERS,
    content: 'none',
    body: reportEditsBody,
    response: editsReported,
    errors: ['session-not-found', 'session-closed'],
  })
  report(
    @Body(valid(reportEditsBody)) answer: z.output<typeof reportEditsBody>,
    @CurrentCaller() { ref, caller }: ApiCaller,
  ) {
    return this.commands.execute(new ReportEdits(ref, { answer }, caller));
  }

  @Endpoint('POST', 'v1/sessions/:session/report-overflow', {
    id: 'reportOverflow',
    summary: 'Reports a context overflow error of the provider.',
    roles: WRITERS,
    content: 'none',
    body: reportOverflowBody,
    response: overflowAnswer,
    errors: ['session-not-found', 'session-closed', 'context-overflow', 'compaction-timed-out'],
  })
  reportOverflow(
    @Body(valid(reportOverflowBody)) error: z.output<typeof reportOverflowBody>,
    @CurrentCaller() { ref, caller }: ApiCaller,
  ) {
    return withOverflowFacts(this.commands.execute(new ReportOverflow(ref, error, caller)));
  }
}

type Refused = EventData<'RequestRefused'> & { readonly outcome: 'refused' };

/** @throws {DetailedRefusal} `request-refused`, `context-overflow`. */
const composedOrRefused = async <Answer extends { readonly outcome: 'composed' }>(
  asked: Promise<Answer | Refused>,
): Promise<Answer> => {
  const answer = await withOverflowFacts(asked);
  if (answer.outcome === 'composed') return answer;
  const { occupancy, window, threshold, largest, remedies } = answer;
  const message =
    `the request is refused: the session occupies ${occupancy} of ${window} billed tokens, and the limit is ${threshold}` +
    `${largest ? `; ${largestText(largest)}` : ''}`;
  throw new DetailedRefusal('request-refused', `${message}: ${remedyTexts(remedies)}`, answer);
};

/** Awaits a result and adds the facts and remedies of a {@link ContextOverflowError} to its problem details. */
const withOverflowFacts = async <Result>(asked: Promise<Result>): Promise<Result> => {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof ContextOverflowError)) throw error;
    throw new DetailedRefusal('context-overflow', error.message, error.facts);
  }
};
