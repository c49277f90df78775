import { createHash } from 'node:crypto';
import { AppError, type IsoTime, type Revision, type StreamName } from '@app/kernel';

/** A request that its caller has named, so that sending it twice is sending it once. */
export type RequestIdentity = {
  /** The tenant and the caller's key: nobody else's request has the same. */
  readonly name: string;
  /** Where somebody may have begun with it already and not ended: what he recorded, he recorded after this. */
  readonly begunAfter?: IsoTime;
};
export type RequestScopeOptions = {
  /** The revision that the caller takes a session to be at. */
  readonly expected?: { readonly stream: StreamName; readonly revision: Revision };
  readonly identity?: RequestIdentity;
};

/** What the commands of one request have in common, whatever number of them it takes. */
export class RequestScope {
  readonly identity: RequestIdentity | undefined;
  private expected: RequestScopeOptions['expected'];
  private readonly calls = new Map<string, number>();
  private readonly revisions = new Map<StreamName, Revision>();

  constructor({ expected, identity }: RequestScopeOptions = {}) {
    this.expected = expected;
    this.identity = identity;
  }

  /** What the first command on a stream is held to; those after it stand on what the first has done. */
  takeExpected(stream: StreamName): Revision | undefined {
    if (this.expected?.stream !== stream) return undefined;
    const { revision } = this.expected;
    this.expected = undefined;
    return revision;
  }

  /**
   * The ids of the events that a command records, by their index: the same when the same request is carried out again.
   * Each call stands for one more command of that type.
   */
  idsOfNext(stream: StreamName, type: string): ((index: number) => string) | undefined {
    const call = this.calls.get(`${stream} ${type}`) ?? 0;
    this.calls.set(`${stream} ${type}`, call + 1);
    return this.idsOf(stream, type, call);
  }

  /** Those of the first command of that type. */
  idsOfFirst(stream: StreamName, type: string): ((index: number) => string) | undefined {
    return this.idsOf(stream, type, 0);
  }

  /** Notes where a stream stands that a command has been carried out on. */
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

/** @throws {AppError} `revision-mismatch`. A session that does not exist says that itself. */
export const requireRevision = (expected: Revision | undefined, actual: Revision | undefined): void => {
  if (expected === undefined || actual === undefined || expected === actual) return;
  throw new AppError(
    'revision-mismatch',
    `the session is at revision ${actual}, not at ${expected}: read it again, and decide anew`,
  );
};

/** Holds a request to its word about a session that it reads and does not write. */
export const holdToRevision = (
  request: RequestScope | undefined,
  stream: StreamName,
  actual: Revision | undefined,
): void => requireRevision(request?.takeExpected(stream), actual);

/** A UUID of version 8 (RFC 9562) that the same parts always give. */
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
