import { ReadSession, RecordContentRead } from '@app/application';
import { Revision, SessionId } from '@app/kernel';
import { logProblem } from '@app/platform';
import type { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyRequest } from 'fastify';
import { principalOf } from '../access.guard.js';
import type { EndpointFacts } from '../endpoint.js';
import { InvalidRequest } from '../problems.js';
import { REASON_HEADER, REASON_MAX } from './content.js';

/** Of a value that an answer was narrowed to; characters. */
const FILTER_MAX = 200;

/** Which revisions of the session are shown; `from` is the first where it is not given, `to` the newest. */
export type ShownRevisions = { readonly from?: number; readonly to?: number };

/** Records who reads text before it goes out: an answer whose read cannot be recorded is not given. */
export class ContentReads {
  /** Answers whose end has yet to be recorded. */
  private readonly unfinished = new Set<Promise<void>>();

  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /**
   * @param besides facts about what is shown that the request does not name.
   * @throws {AppError} `event-store-unavailable`, `disk-full`: then nothing must be shown.
   */
  async record(
    request: FastifyRequest,
    { method, path }: Pick<EndpointFacts, 'method' | 'path'>,
    shown: ShownRevisions = {},
    besides: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    const { tenant, actor } = principalOf(request);
    const { session: id, ...named } = textsIn(request.params);
    const session = id === undefined ? null : SessionId(id);
    const revisions = session && {
      from: shown.from ?? 0,
      to: shown.to ?? (await this.queries.execute(new ReadSession({ tenant, session }))).to,
    };
    const filters = { ...named, ...textsIn(request.query), ...besides };
    const read = { endpoint: `${method} /${path}`, session, revisions, filters, reason: reasonIn(request) };
    await this.commands.execute(new RecordContentRead(tenant, read, { actor }));
  }

  /** Does what has to be done when a long answer has ended; the service does not stop before. Never rejects. */
  async whenEnded(answer: Promise<void>, record: () => Promise<void>): Promise<void> {
    const finished = answer.then(record).catch(logProblem('content-read'));
    this.unfinished.add(finished);
    await finished;
    this.unfinished.delete(finished);
  }

  /** Waits for the records of all answers; called once every connection is closed, while the log can still be written. */
  async recorded(): Promise<void> {
    await Promise.all(this.unfinished);
  }
}

/**
 * Why a request asks for text; `null` where it does not say. Letters outside of ASCII come percent-encoded.
 *
 * @throws {InvalidRequest} where it is too long.
 */
export const reasonIn = ({ headers }: Pick<FastifyRequest, 'headers'>): string | null => {
  const given = headers[REASON_HEADER];
  const reason = decoded(String(given ?? '').trim());
  if (reason.length > REASON_MAX)
    throw new InvalidRequest([
      { at: REASON_HEADER, problem: `it is longer than ${REASON_MAX} characters: shorten it` },
    ]);
  return reason === '' ? null : reason;
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Parameters of a route or a query as text, each cut at a length. */
const textsIn = (given: unknown): Readonly<Record<string, string>> =>
  typeof given !== 'object' || given === null
    ? {}
    : Object.fromEntries(
        Object.entries(given).map(([name, value]) => [name, String(value).slice(0, FILTER_MAX)]),
      );

/** The revisions that an answer says it is of: one of its own, or those of the two sides that it compares. */
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
