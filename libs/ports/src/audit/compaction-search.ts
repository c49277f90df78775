import type { Trigger } from '@app/domain';
import type { IsoTime, LogPosition, SessionId, TenantId } from '@app/kernel';
import type { DescriptionFilter } from '../session-list.js';
import type { CompactionOutcome } from './audit.js';
import type { CostTotal } from './usage.js';

/** A compaction from its request to its end. */
export type CompactionRecord = {
  readonly session: SessionId;
  readonly compactionId: string;
  readonly trigger: Trigger;
  /** `null` while it is open. */
  readonly outcome: CompactionOutcome | null;
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
  /** Share of the covered facts that the context still contains, 0 to 1; `null` without a measurement. */
  readonly fidelity: number | null;
  readonly durationMs: number | null;
  /** Usage of all attempts. */
  readonly usage: {
    readonly inputTokens: number;
    readonly cacheReadTokens: number;
    readonly cacheWriteTokens: number;
    readonly outputTokens: number;
  };
  /** Of all attempts. */
  readonly cost: CostTotal;
  readonly requestedAt: IsoTime;
  readonly endedAt: IsoTime | null;
  /** Of its request, in the log. */
  readonly position: LogPosition;
};

export type CompactionSearch = DescriptionFilter & {
  readonly tenant: TenantId;
  readonly session?: SessionId;
  readonly trigger?: Trigger;
  readonly outcome?: CompactionOutcome | 'open';
  readonly profile?: string;
  /** The summarizer's. */
  readonly model?: string;
  readonly actor?: string;
  /** When it was requested: inclusive. */
  readonly since?: IsoTime;
  /** Exclusive. */
  readonly until?: IsoTime;
  /** Default: newest request first. */
  readonly sort?: '-position' | 'position';
  /** The last one of the page before. */
  readonly after?: Pick<CompactionRecord, 'position'>;
  /** At most 1,000. */
  readonly limit: number;
};
