import type {
  CancelCompactionResponse,
  CompactionOutcome,
  CompactionRequest,
  CompactionSummary,
  Explanation,
  PlanCompactionRequest,
  PlanView,
  ProfileSource,
  RequestedCompaction,
  RevertCompactionRequest,
  Reverted,
  WhatIfView,
} from '../generated/types.js';
import { path } from '../transport/path.js';
import type { CallOptions, Transport } from '../transport/transport.js';
import { itemsOf, type Page } from './pages.js';

/** Seconds that the service waits for an outcome; the answer arrives slightly later. */
const TIMEOUT_SECONDS = 60;
const MARGIN_MS = 15_000;

/** Requests, explains and reverts compactions of a session. */
export class Compactions {
  constructor(private readonly http: Transport) {}

  /** Requests a compaction without waiting for it. */
  request(
    session: string,
    request: CompactionRequest = {},
    options?: CallOptions,
  ): Promise<RequestedCompaction> {
    return this.http.send('POST', path`/v1/sessions/${session}/compactions`, { body: request }, options);
  }

  /**
   * Waits for the outcome of a compaction.
   *
   * @throws {PalimpsestError} `compaction-timed-out` if it has not ended within `timeoutSeconds`, 60 by default and at most
   *   600: call again.
   */
  outcome(
    session: string,
    compaction: string,
    options: CallOptions & { readonly timeoutSeconds?: number } = {},
  ): Promise<CompactionOutcome> {
    const { timeoutSeconds = TIMEOUT_SECONDS } = options;
    const patient = { timeoutMs: timeoutSeconds * 1_000 + MARGIN_MS, ...options };
    const at = path`/v1/sessions/${session}/compactions/${compaction}/outcome`;
    return this.http.send('GET', at, { query: { timeoutSeconds } }, patient);
  }

  /** Lists compactions, newest first, from the read model. */
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

  /** Explains a compaction, reset or fork: its cause, effect and current state. */
  explain(session: string, compaction: string, options?: CallOptions): Promise<Explanation> {
    return this.http.send('GET', path`/v1/sessions/${session}/compactions/${compaction}`, {}, options);
  }

  /** Returns the plan of a compaction now; records nothing. */
  plan(session: string, input: PlanCompactionRequest = {}, options?: CallOptions): Promise<PlanView> {
    return this.http.send('POST', path`/v1/sessions/${session}/plan`, { body: input }, options);
  }

  /** Compares the results of several profiles; by default the session's own and all built-in ones. */
  whatIf(
    session: string,
    profiles: readonly ProfileSource[] = [],
    options?: CallOptions,
  ): Promise<WhatIfView> {
    return this.http.send('POST', path`/v1/sessions/${session}/what-if`, { body: { profiles } }, options);
  }

  /** Cancels a requested, deferred or running compaction; `cancelled` is `false` if it had ended. */
  cancel(
    session: string,
    compaction: string,
    reason?: string,
    options?: CallOptions,
  ): Promise<CancelCompactionResponse> {
    const at = path`/v1/sessions/${session}/compactions/${compaction}/cancel`;
    return this.http.send('POST', at, { body: { reason } }, options);
  }

  /** Reverts the newest compaction or reset; a given ID must match it. */
  revert(session: string, request: RevertCompactionRequest = {}, options?: CallOptions): Promise<Reverted> {
    return this.http.send('POST', path`/v1/sessions/${session}/revert`, { body: request }, options);
  }
}
