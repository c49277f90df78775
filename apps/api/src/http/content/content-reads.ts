import { ReadSession, RecordContentRead } from '@app/application';
import { type Json, percentDecoded, Revision, SessionId } from '@app/kernel';
import { logProblem } from '@app/platform';
import { StreamableFile } from '@nestjs/common';
import type { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyRequest } from 'fastify';
import { principalOf } from '../access.guard.js';
import type { EndpointFacts } from '../endpoint.js';
import { InvalidRequest } from '../problems.js';
import { holdsContent, mayReadContent, REASON_HEADER, REASON_MAX, withoutContent } from './content.js';

/** Characters of a filter value that are recorded. */
const FILTER_MAX = 200;

/** The revisions that an answer shows, inclusive; from the first and to the newest by default. */
type ShownRevisions = { readonly from?: number; readonly to?: number };

/** A read of text: its session, the returned revisions and the filters of the request. */
type TextRead = {
  readonly session: SessionId | null;
  readonly shown: ShownRevisions;
  readonly filters: Readonly<Record<string, string>>;
};

/** Records reads of text before the text is sent. A read that cannot be recorded fails. */
export class ContentReads {
  /** Streamed answers whose end is not recorded yet. */
  private readonly unfinished = new Set<Promise<void>>();

  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /**
   * @param besides filters that the request does not name.
   * @throws {AppError} `event-store-unavailable`, `disk-full`. The caller must not send the text then.
   */
  async record(
    request: FastifyRequest,
    { method, path }: Pick<EndpointFacts, 'method' | 'path'>,
    shown: ShownRevisions = {},
    besides: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    const { session: id, ...named } = textsIn(request.params);
    const session = id === undefined ? null : SessionId(id);
    const filters = { ...named, ...textsIn(request.query), ...besides };
    await this.recordOf(request, { method, path }, { session, shown, filters });
  }

  /** Records a read of a session that the route does not name. @throws {AppError} as {@link record}. */
  async recordOf(
    request: FastifyRequest,
    { method, path }: Pick<EndpointFacts, 'method' | 'path'>,
    { session, shown, filters: given }: TextRead,
  ): Promise<void> {
    const { tenant, actor } = principalOf(request);
    const revisions = session && {
      from: shown.from ?? 0,
      to: shown.to ?? (await this.queries.execute(new ReadSession({ tenant, session }, {}))).to,
    };
    const filters = textsIn(given);
    const read = { endpoint: `${method} /${path}`, session, revisions, filters, reason: reasonIn(request) };
    await this.commands.execute(new RecordContentRead(tenant, read, { actor }));
  }

  /** Calls `record` when a streamed answer has ended. The service waits for it before it stops. Never rejects. */
  async whenEnded(answer: Promise<void>, record: () => Promise<void>): Promise<void> {
    const finished = answer.then(record).catch(logProblem('content-read'));
    this.unfinished.add(finished);
    await finished;
    this.unfinished.delete(finished);
  }

  /** Waits until the end of every answer is recorded; called after the connections close and before the event store does. */
  async recorded(): Promise<void> {
    await Promise.all(this.unfinished);
  }

  /** Returns the answer of `work` without text that the key may not read, and records an answer with text before it is sent. */
  async shown(
    request: FastifyRequest,
    endpoint: EndpointFacts,
    work: () => Promise<unknown>,
  ): Promise<unknown> {
    const { content } = endpoint;
    if (content === 'none' || content === 'request' || content === 'streamed') return work();
    reasonIn(request); // Validates the header before the handler runs.
    const answer = await work();
    return content === 'text'
      ? this.text(answer, request, endpoint)
      : this.mixed(answer, content.in, request, endpoint);
  }

  /** Records an answer that is all text; the guard has rejected keys that may not read it. */
  private async text(answer: unknown, request: FastifyRequest, endpoint: EndpointFacts): Promise<unknown> {
    if (answer === undefined) return answer; // 304: no text is sent.
    try {
      const own = isObject(answer) ? revisionsIn(answer) : {};
      // On the route of one message, the revision of the answer is that of the message.
      const alone = endpoint.path.includes(':message') && own.to !== undefined ? { from: own.to } : {};
      await this.record(request, endpoint, { ...own, ...alone, ...fromIn(request) });
    } catch (error) {
      if (answer instanceof StreamableFile) answer.getStream().destroy();
      throw error;
    }
    return answer;
  }

  private async mixed(
    answer: unknown,
    paths: readonly string[],
    request: FastifyRequest,
    endpoint: EndpointFacts,
  ): Promise<unknown> {
    if (!isObject(answer)) return answer;
    // A stored answer of an Idempotency-Key is replayed as bytes.
    const json: Json = JSON.parse(Buffer.isBuffer(answer) ? answer.toString() : JSON.stringify(answer));
    if (!holdsContent(json, paths)) return answer;
    if (mayReadContent(principalOf(request))) {
      await this.record(request, endpoint, isObject(json) ? revisionsIn(json) : {});
      return answer;
    }
    const left = withoutContent(json, paths);
    return Buffer.isBuffer(answer) ? Buffer.from(JSON.stringify(left)) : left;
  }
}

/**
 * Returns the caller's reason for reading text; `null` without one. Characters outside ASCII are percent-encoded.
 *
 * @throws {InvalidRequest} if it is longer than {@link REASON_MAX}.
 */
const reasonIn = ({ headers }: Pick<FastifyRequest, 'headers'>): string | null => {
  const given = headers[REASON_HEADER];
  const reason = percentDecoded(String(given ?? '').trim());
  if (reason.length > REASON_MAX)
    throw new InvalidRequest([
      { at: REASON_HEADER, problem: `it is longer than ${REASON_MAX} characters: shorten it` },
    ]);
  return reason === '' ? null : reason;
};

/** Returns parameters of a route or query as strings, each truncated to {@link FILTER_MAX}. */
const textsIn = (given: unknown): Readonly<Record<string, string>> =>
  typeof given !== 'object' || given === null
    ? {}
    : Object.fromEntries(
        Object.entries(given).map(([name, value]) => [name, String(value).slice(0, FILTER_MAX)]),
      );

/** Returns the revisions that an answer names: its own, or the newer one of the two contexts that it compares. */
export const revisionsIn = (answer: object): ShownRevisions => {
  const own: unknown = Reflect.get(answer, 'revision');
  if (typeof own === 'number') return { to: Revision(own) };
  const sides = ['a', 'b'].flatMap((name) => {
    const side: unknown = Reflect.get(answer, name);
    const revision: unknown = typeof side === 'object' && side !== null ? Reflect.get(side, 'revision') : 0;
    return typeof revision === 'number' && side !== undefined ? [revision] : [];
  });
  return sides.length === 2 ? { to: Math.max(...sides) } : {};
};

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const fromIn = ({ query }: FastifyRequest): { readonly from?: number } => {
  const from = isObject(query) ? Number(Reflect.get(query, 'from') ?? Number.NaN) : Number.NaN;
  return Number.isSafeInteger(from) ? { from } : {};
};
