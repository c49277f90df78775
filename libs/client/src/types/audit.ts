import type { AuditEventType } from './event-type.js';
import type { Trigger } from './shared.js';

/** What became of a compaction. */
export type CompactionEnd = 'completed' | 'failed' | 'skipped' | 'cancelled' | 'reverted';

/** One audited event, without message content. */
export type AuditRow = {
  /** In the whole log; a number larger than JSON's, so a string. */
  readonly position: string;
  /** `null` for a decision about the tenant itself, such as a key that was issued. */
  readonly session: string | null;
  readonly revision: number;
  readonly type: AuditEventType;
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

/** `audit`: facts without text; `content`: text that people and models wrote. */
export type ReadKind = 'audit' | 'content';
/** That a caller has read what was recorded. */
export type AuditReadRow = {
  readonly position: string;
  readonly recordedAt: string;
  readonly actor: string;
  readonly kind: ReadKind;
  /** Such as `GET /v1/audit`, or `palimpsest export`. */
  readonly endpoint: string;
  /** Whose text; `null` for facts, and for text of several sessions. */
  readonly session: string | null;
  /** Of that session, both inclusive: nothing from outside of them was shown. */
  readonly revisions: { readonly from: number; readonly to: number } | null;
  /** What it was narrowed to, as it was asked for. */
  readonly filters: { readonly [name: string]: unknown };
  /** How many were given out; `null` for text. */
  readonly rows: number | null;
  /** Why, in the reader's words. */
  readonly reason: string | null;
};

/** What rows of the audit must have, all of it. */
export type AuditFilter = {
  readonly session?: string;
  /** Of events; any of several. */
  readonly type?: AuditEventType | readonly AuditEventType[];
  readonly trigger?: Trigger;
  readonly outcome?: CompactionEnd;
  readonly profile?: string;
  readonly model?: string;
  readonly actor?: string;
  readonly correlation?: string;
  readonly compaction?: string;
  /** A name, path, error or number that a compaction has lost, or words of a lost directive. */
  readonly lost?: string;
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
  /** Groups that are not listed; their rows are in `events`. */
  readonly omittedGroups: number;
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
    /** Requests that were composed, and those of them that were smaller because of compactions. */
    readonly requests: number;
    readonly smallerRequests: number;
    /** Counted tokens by which these were smaller, over all of them. */
    readonly countedSaved: number;
    /** Results that came beside another one, and what they cost: a part of `cost`. */
    readonly doubleRuns: { readonly runs: number; readonly cost: CostTotal };
    readonly completed: number;
    readonly failed: number;
    readonly skipped: number;
    readonly cancelled: number;
    readonly reverted: number;
  };
};
/** `import` is what transcripts tell, on the days that they tell; `live` is everything else. */
export type UsageSource = 'live' | 'import';
/** `tenant` shows all tenants to the operator's keys, and the key's own to others. */
export type UsageGroup = 'day' | 'model' | 'profile' | 'tenant';
export type UsageTotals = {
  /** Both sources together, and each of them. */
  readonly total: UsageSum;
  readonly live: UsageSum;
  readonly import: UsageSum;
  /** One for each key and source, by key in their order: at most 1,000. */
  readonly groups: readonly (UsageSum & { readonly key: string; readonly source: UsageSource })[];
  /** Groups that are not listed; what they add is in the sums. */
  readonly omittedGroups: number;
};
