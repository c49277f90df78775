import type { RequestId, Revision, Tokens } from '@app/kernel';
import type { LadderRung } from './facts.js';

/** A composed request, as needed for its usage. */
export type RequestRecord = {
  readonly requestId: RequestId;
  /** Revision of the session from which it was composed. */
  readonly revision: Revision;
  /** Number of the session's messages that the request carries, or of their replacements. */
  readonly messages: number;
  /** Counted tokens of its contributions. */
  readonly contributed: Tokens;
  /** Counted tokens that stages left out of it on its way. */
  readonly omittedTokens: number;
  /** The rung of the ladder; absent if it was sent in full. */
  readonly rung?: LadderRung;
  /** Whether the context has changed since: its bill counts for cost only. */
  readonly isVoid: boolean;
  readonly isBilled: boolean;
};

/** Number of remembered requests: later bills are looked up in the log. */
const REMEMBERED = 16;

/** The newest requests, oldest first, with one more. */
export const withRequest = (all: readonly RequestRecord[], one: RequestRecord): readonly RequestRecord[] => [
  ...all.slice(1 - REMEMBERED),
  one,
];

/** The same once the context is another: their bills count for cost alone. */
export const voided = (all: readonly RequestRecord[]): readonly RequestRecord[] =>
  all.map((one) => (one.isVoid ? one : { ...one, isVoid: true }));

/** The same once one of them has its bill. */
export const withBillFor = (all: readonly RequestRecord[], requestId: RequestId): readonly RequestRecord[] =>
  all.map((one) => (one.requestId === requestId ? { ...one, isBilled: true } : one));
