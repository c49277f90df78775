import { path } from '../transport/path.js';
import type { CallOptions, Transport } from '../transport/transport.js';
import type {
  CompactionSummary,
  OutcomeView,
  PlanView,
  RequestedCompaction,
  Reverted,
  WhatIfView,
} from '../types/compactions.js';
import type { Explanation } from '../types/explanations.js';
import type { ProfileSource } from './managed-sessions.js';
import { itemsOf, type Page } from './pages.js';

export type CompactionRequest = {
  /** Who wants it: the user, the policy of a workflow, or somebody who waits for the end of the turn. */
  readonly trigger?: 'explicit' | 'policy' | 'requested-mid-turn';
  /** Another policy than the session's, for this one compaction. */
  readonly profile?: ProfileSource;
  /** What the summary should dwell on. */
  readonly instructions?: string;
};

/** Seconds that the service waits for an outcome; the answer comes a moment later. */
const TIMEOUT_SECONDS = 60;
const MARGIN_MS = 15_000;

/** Compactions of a session: asked for, looked into, undone. */
export class Compactions {
  constructor(private readonly http: Transport) {}

  /** Asks for a compaction, and does not wait for it. */
  request(
    session: string,
    request: CompactionRequest = {},
    options?: CallOptions,
  ): Promise<RequestedCompaction> {
    return this.http.send('POST', path`/v1/sessions/${session}/compactions`, { body: request }, options);
  }

  /**
   * Waits for the end of a compaction.
   *
   * @throws {PalimpsestError} `compaction-timed-out` where it has not ended in `timeoutSeconds` seconds, 60 where it is not
   *   given and 600 at most: ask again.
   */
  outcome(
    session: string,
    compaction: string,
    options: CallOptions & { readonly timeoutSeconds?: number } = {},
  ): Promise<OutcomeView> {
    const { timeoutSeconds = TIMEOUT_SECONDS } = options;
    const patient = { timeoutMs: timeoutSeconds * 1_000 + MARGIN_MS, ...options };
    const at = path`/v1/sessions/${session}/compactions/${compaction}/outcome`;
    return this.http.send('GET', at, { query: { timeoutSeconds } }, patient);
  }

  /** Newest first; a moment behind the log. */
  list(
    session: string,
    options?: CallOptions & { readonly limit?: number },
  ): AsyncGenerator<CompactionSummary, void, undefined> {
    return itemsOf((cursor) => this.page(session, { ...options, ...(cursor !== undefined && { cursor }) }));
  }

  page(
    session: string,
    options: CallOptions & { readonly limit?: number; readonly cursor?: string } = {},
  ): Promise<Page<CompactionSummary>> {
    const { limit, cursor } = options;
    return this.http.send(
      'GET',
      path`/v1/sessions/${session}/compactions`,
      { query: { limit, cursor } },
      options,
    );
  }

  /** Why a compaction, a reset or a fork was, what it did, and what has become of it. */
  explain(session: string, compaction: string, options?: CallOptions): Promise<Explanation> {
    return this.http.send('GET', path`/v1/sessions/${session}/compactions/${compaction}`, {}, options);
  }

  /** What a compaction would do now; records nothing. */
  plan(
    session: string,
    input: { readonly profile?: ProfileSource } = {},
    options?: CallOptions,
  ): Promise<PlanView> {
    return this.http.send('POST', path`/v1/sessions/${session}/plan`, { body: input }, options);
  }

  /** What a compaction would come to under several profiles; the session's own and every other where none is named. */
  whatIf(
    session: string,
    profiles: readonly ProfileSource[] = [],
    options?: CallOptions,
  ): Promise<WhatIfView> {
    return this.http.send('POST', path`/v1/sessions/${session}/what-if`, { body: { profiles } }, options);
  }

  /** Gives up a compaction that waits or is under way; `cancelled` is `false` where it had ended already. */
  cancel(
    session: string,
    compaction: string,
    reason?: string,
    options?: CallOptions,
  ): Promise<{ readonly compactionId: string; readonly cancelled: boolean }> {
    const at = path`/v1/sessions/${session}/compactions/${compaction}/cancel`;
    return this.http.send('POST', at, { body: { reason } }, options);
  }

  /** Undoes the newest compaction or reset; where one is named, it must be that one. */
  revert(
    session: string,
    request: { readonly compactionId?: string; readonly reason?: string } = {},
    options?: CallOptions,
  ): Promise<Reverted> {
    return this.http.send('POST', path`/v1/sessions/${session}/revert`, { body: request }, options);
  }
}
