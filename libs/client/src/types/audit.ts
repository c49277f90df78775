import type { EventType } from './event-type.js';
import type { Trigger } from './shared.js';

/** What became of a compaction. */
export type CompactionEnd = 'completed' | 'failed' | 'skipped' | 'cancelled' | 'reverted';

/** One audited event, without message content. */
export type AuditRow = {
  /** In the whole log; a number larger than JSON's, so a string. */
  readonly position: string;
  readonly session: string;
  readonly revision: number;
  readonly type: EventType;
  readonly recordedAt: string;
  readonly actor: string;
  readonly correlationId: string;
  readonly compactionId: string | null;
  /** What brought about the compaction that the event belongs to. */
  readonly trigger: Trigger | null;
  /** What the event made of its compaction. */
  readonly outcome: CompactionEnd | null;
  readonly profile: string | null;
  readonly model: string | null;
  readonly payload: { readonly [name: string]: unknown };
};

/** That somebody has looked at the audit. */
export type AuditReadRow = {
  readonly position: string;
  readonly recordedAt: string;
  readonly actor: string;
  /** Such as `GET /v1/audit`. */
  readonly endpoint: string;
  /** What it was narrowed to, as it was asked for. */
  readonly filters: { readonly [name: string]: unknown };
  readonly rows: number;
};

/** What rows of the audit must have, all of it. */
export type AuditFilter = {
  readonly session?: string;
  /** Of events; any of several. */
  readonly type?: EventType | readonly EventType[];
  readonly trigger?: Trigger;
  readonly outcome?: CompactionEnd;
  readonly profile?: string;
  readonly model?: string;
  readonly actor?: string;
  readonly correlation?: string;
  readonly compaction?: string;
  /** Inclusive: a time such as `2026-11-21T09:30:00Z`, or a day. */
  readonly since?: string;
  /** Exclusive. */
  readonly until?: string;
};
/** By place in the log, or by time; `-` for the newest first. */
export type AuditSort = '-position' | 'position' | '-time' | 'time';
export type AuditGroup = 'type' | 'day' | 'actor' | 'outcome' | 'trigger' | 'profile' | 'model' | 'session';
export type AuditTotals = {
  /** All rows that the filter lets pass. */
  readonly events: number;
  readonly groups: readonly { readonly key: string | null; readonly events: number }[];
};

/** A compaction of whatever session, from its request to its end. */
export type CompactionRecord = {
  readonly position: string;
  readonly session: string;
  readonly compactionId: string;
  readonly trigger: Trigger;
  /** `null` while it is open. */
  readonly outcome: CompactionEnd | null;
  /** The rule that it was skipped by, or the error of its newest attempt. */
  readonly reason: string | null;
  readonly profile: string;
  /** Who asked. */
  readonly actor: string;
  readonly turn: number;
  readonly attempts: number;
  readonly worker: string | null;
  readonly summarizer: string | null;
  readonly model: string | null;
  readonly promptVersion: string | null;
  readonly countedBefore: number | null;
  readonly countedAfter: number | null;
  readonly billedBefore: number | null;
  readonly billedAfter: number | null;
  readonly coveredMessages: number | null;
  /** How much of what was covered the context still holds, from 0 to 1; `null` where nothing was, or nobody measured. */
  readonly fidelity: number | null;
  readonly durationMs: number | null;
  readonly usage: {
    readonly inputTokens: number;
    readonly cacheReadTokens: number;
    readonly cacheWriteTokens: number;
    readonly outputTokens: number;
  };
  /** Of all attempts. */
  readonly cost: CostTotal;
  readonly requestedAt: string;
  readonly endedAt: string | null;
};
export type CompactionFilter = Pick<
  AuditFilter,
  'session' | 'trigger' | 'profile' | 'model' | 'actor' | 'since' | 'until'
> & { readonly outcome?: CompactionEnd | 'open'; readonly sort?: '-position' | 'position' };

/** Tokens that were billed. */
export type BilledTokens = {
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
};
/** US dollars, by the prices in force when each bill came. */
export type CostTotal = {
  /** In billionths; `null` where nothing of what was billed has a price. */
  readonly nanoUsd: number | null;
  /** Tokens that were billed and have no price: they are not in it. */
  readonly unpricedTokens: number;
};
/** What models were asked, what compactions cost, and what they saved. */
export type UsageSum = {
  /** Answers of models that agents reported. */
  readonly calls: number;
  readonly tokens: BilledTokens;
  readonly cost: CostTotal;
  readonly compactions: {
    readonly tokens: BilledTokens;
    readonly cost: CostTotal;
    /** Occupancy before minus after, of those that completed. */
    readonly savedTokens: number;
    readonly completed: number;
    readonly failed: number;
    readonly skipped: number;
    readonly cancelled: number;
    readonly reverted: number;
  };
};
export type UsageTotals = {
  readonly total: UsageSum;
  readonly groups: readonly (UsageSum & { readonly key: string })[];
};
