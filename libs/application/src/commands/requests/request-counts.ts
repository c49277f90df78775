import {
  type CommandOf,
  isSizeInDoubt,
  type OpenSession,
  type SessionCommand,
  type SessionState,
  withContributed,
} from '@app/domain';
import { COUNT_HEADERS, COUNT_PATH, countBody, countIn } from '@app/formats';
import { AppError, BoundedMap, type Revision, type TenantId, Tokens, unlessAborted } from '@app/kernel';
import type { Upstream, UpstreamAnswer } from '@app/ports';
import { collectBody, textOf } from '../../requests/failures.js';
import type { CommandFor } from '../../sessions/decisions.js';

/** A request to count: the JSON body of `POST /v1/messages`, and the credentials to use. */
export type Countable = {
  readonly tenant: TenantId;
  readonly model: string;
  readonly body: string;
  /** Credentials of the gateway's client; without them, those of the tenant. */
  readonly client?: {
    readonly headers: Readonly<Record<string, string>>;
    readonly bringsKey: boolean;
  };
};
type CountAnswer = CommandOf<'CountRequest'>['data']['answer'];

/** Milliseconds that a request waits for a count at most. */
const DEADLINE_MS = 2_000;
/** Milliseconds without further counts after a failure. */
const REST_MS = 30_000;
const RESTING_MAX = 10_000;

/** Asks providers for token counts. A count delays a request by at most {@link DEADLINE_MS} and never fails it. */
export class RequestCounts {
  /** Time of the next attempt after a failure, by tenant and model. */
  private readonly resting = new BoundedMap<string, number>(RESTING_MAX);

  constructor(
    private readonly upstream: Upstream,
    private readonly deadlineMs = DEADLINE_MS,
  ) {}

  /** @returns the count, or the reason for its absence; `undefined` if not asked, since the last attempt failed recently. */
  async count(request: Countable): Promise<CountAnswer | undefined> {
    const key = `${request.tenant} ${request.model}`;
    const body = countBody(request.body);
    if (body === undefined || (this.resting.get(key) ?? 0) > performance.now()) return undefined;
    const answer = await this.ask(request, body);
    if ('failure' in answer) this.resting.set(key, performance.now() + REST_MS);
    else this.resting.delete(key);
    return answer;
  }

  private async ask({ tenant, client }: Countable, body: string): Promise<CountAnswer> {
    const signal = AbortSignal.timeout(this.deadlineMs);
    try {
      const { headers, bringsKey } = client ?? { headers: COUNT_HEADERS, bringsKey: false };
      const sent = { provider: 'anthropic', path: COUNT_PATH, headers, body, tenant, bringsKey } as const;
      const answer = await unlessAborted(signal, this.send({ ...sent, signal }));
      return answer === undefined ? { failure: 'refused' } : { tokens: Tokens(answer) };
    } catch (error) {
      if (signal.aborted) return { failure: 'timed-out' };
      const isKeyless = error instanceof AppError && error.code === 'upstream-key-missing';
      return { failure: isKeyless ? 'no-key' : 'unreachable' };
    }
  }

  private async send(request: Parameters<Upstream['send']>[0]): Promise<number | undefined> {
    const answer: UpstreamAnswer = await this.upstream.send(request);
    const text = textOf(await collectBody(answer.body));
    return answer.status === 200 ? countIn(text) : undefined;
  }
}

/** Returns the session's next request without size-related omissions; `undefined` if its provider has no token count. */
type WholeRequest = (session: OpenSession, revision: Revision) => Countable | undefined;

/** Asks the provider to count the next request, if the policy wants it and the estimate is uncertain. */
export const countStep = (counts: RequestCounts, contributed: Tokens, whole: WholeRequest): CommandFor => {
  // A retry after a conflict reuses the count.
  const asked = new Map<string, ReturnType<RequestCounts['count']>>();
  const make = async (
    session: SessionState,
    revision: Revision | undefined,
  ): Promise<SessionCommand | undefined> => {
    if (session.status !== 'open' || session.closed || revision === undefined) return undefined;
    if (!isSizeInDoubt(withContributed(session, contributed))) return undefined;
    const request = whole(session, revision);
    if (!request) return undefined;
    const known = asked.get(request.body) ?? counts.count(request);
    asked.set(request.body, known);
    const answer = await known;
    const sessionId = session.opened.sessionId;
    return answer && { type: 'CountRequest', data: { sessionId, contributed, answer } };
  };
  return { called: 'CountRequest', make };
};
