import type { compactionRecord, Shape } from '@app/contract';
import type { Trigger } from '@app/domain';
import type { IsoTime, SessionId, TenantId } from '@app/kernel';
import type { DescriptionFilter } from '../session-list.js';
import type { CompactionOutcome, InLog } from './audit.js';

export type CompactionRecord = InLog<Shape<typeof compactionRecord>>;

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
