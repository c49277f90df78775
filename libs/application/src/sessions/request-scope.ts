import { createHash } from 'node:crypto';
import { AppError, type IsoTime, type Revision, type StreamName } from '@app/kernel';
import type { EventLog, Recorded } from '@app/ports';

/** Idempotency ID of a request. */
export type RequestIdentity = {
  /** Tenant and idempotency key, which are unique together. */
  readonly name: string;
  /** Set if an interrupted execution may have recorded events, all of them after this time. */
  readonly begunAfter?: IsoTime;
  /** Resolves when decisions may be recorded, and rejects if the request must not record any. */
  readonly permitted?: Promise<void>;
};
export type RequestScopeOptions = {
  /** The session revision that the caller expects. */
  readonly expected?: { readonly stream: StreamName; readonly revision: Revision };
  readonly identity?: RequestIdentity;
};

/** State shared by all commands of one request. */
export class RequestScope {
  readonly identity: RequestIdentity | undefined;
  private expected: RequestScopeOptions['expected'];
  private readonly calls = new Map<string, number>();
  private readonly revisions = new Map<StreamName, Revision>();

  constructor({ expected, identity }: RequestScopeOptions = {}) {
    this.expected = expected;
    this.identity = identity;
  }

  /** Returns the expected revision for the first command on a stream; later commands build on the first one. */
  takeExpected(stream: StreamName): Revision | undefined {
    if (this.expected?.stream !== stream) return undefined;
    const { revision } = this.expected;
    this.expected = undefined;
    return revision;
  }

  /** Returns the event IDs of the next command of a type by index. They are the same when the request is repeated. */
  idsOfNext(stream: StreamName, type: string): ((index: number) => string) | undefined {
    const call = this.calls.get(`${stream} ${type}`) ?? 0;
    this.calls.set(`${stream} ${type}`, call + 1);
    return this.idsOf(stream, type, call);
  }

  /** Returns the event IDs of the first command of a type. */
  idsOfFirst(stream: StreamName, type: string): ((index: number) => string) | undefined {
    return this.idsOf(stream, type, 0);
  }

  /** Records the revision of a stream after a command. */
  sees(stream: StreamName, revision: Revision | undefined): void {
    if (revision !== undefined) this.revisions.set(stream, revision);
  }

  revisionOf(stream: StreamName): Revision | undefined {
    return this.revisions.get(stream);
  }

  private idsOf(stream: StreamName, type: string, call: number): ((index: number) => string) | undefined {
    const name = this.identity?.name;
    if (name === undefined) return undefined;
    return (index) => derivedId([name, stream, type, String(call), String(index)]);
  }
}

/** @throws {AppError} `revision-mismatch`. Ignores missing sessions, for which the decision has an error of its own. */
export const requireRevision = (expected: Revision | undefined, actual: Revision | undefined): void => {
  if (expected === undefined || actual === undefined || expected === actual) return;
  throw new AppError(
    'revision-mismatch',
    `the session is at revision ${actual}, not at ${expected}: read it again and repeat the decision`,
  );
};

/** Checks the expected revision for a session that the request reads but does not write. */
export const holdToRevision = (
  request: RequestScope | undefined,
  stream: StreamName,
  actual: Revision | undefined,
): void => requireRevision(request?.takeExpected(stream), actual);

/** Returns a UUID of version 8 (RFC 9562) derived from `parts`. */
const derivedId = (parts: readonly string[]): string => {
  const hex = createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20),
  ].join('-');
};

/** Upper bound of clock differences between writers, in milliseconds. */
const CLOCKS_APART_MS = 600_000;

/**
 * Returns the events with these IDs, oldest first, if one append has recorded them; otherwise an empty list.
 *
 * @param begunAfter start of the search; by default the whole stream.
 */
export const recordedBefore = async (
  log: EventLog,
  stream: StreamName,
  idOf: (index: number) => string,
  begunAfter: IsoTime | undefined,
): Promise<readonly Recorded[]> => {
  const oldest = begunAfter === undefined ? 0 : Date.parse(begunAfter) - CLOCKS_APART_MS;
  const first = idOf(0);
  const newestFirst: Recorded[] = [];
  for await (const recorded of log.readBackwards(stream)) {
    if (Date.parse(recorded.recordedAt) < oldest) return [];
    newestFirst.push(recorded);
    if (recorded.id === first) return ownOf(newestFirst.reverse(), idOf);
  }
  return [];
};

const ownOf = (events: readonly Recorded[], idOf: (index: number) => string): readonly Recorded[] => {
  const others = events.findIndex(({ id }, index) => id !== idOf(index));
  return others < 0 ? events : events.slice(0, others);
};
