import type { OccupancyMark } from '@app/contract';
import type { SessionEventType } from '@app/domain';
import { ownMember } from '@app/kernel';
import type { Milestone } from '@app/ports';
import { memberOf, numberIn } from './composition.js';

/** Event types that are marks. */
export const MARK_TYPES = [
  'CompactionCompleted',
  'CompactionFailed',
  'CompactionSkipped',
  'CompactionCancelled',
  'CompactionReverted',
  'CompactionOverridden',
  'CompactionCircuitOpened',
  'ContentErased',
  'ContextOverflowed',
  'LadderEntered',
  'ModelSwitched',
  'OverflowReported',
  'ProviderContextEdited',
  'RequestRefused',
  'SessionClosed',
  'SessionForked',
  'SessionReset',
  'SettingsChanged',
  'ToolOutputsPruned',
] as const satisfies readonly SessionEventType[];

const MARKS: ReadonlySet<SessionEventType> = new Set(MARK_TYPES);

export const isMark = ({ type }: Milestone): boolean => MARKS.has(type);

export const markOf = ({
  revision,
  at,
  type,
  compactionId,
  trigger,
  profile,
  payload,
}: Milestone): OccupancyMark => {
  const number = (name: string): number | null => numberIn(ownMember(payload, name)) ?? null;
  const { reason, error, imported, erasure, summary, native } = payload;
  const format = memberOf(imported, 'format');
  return {
    revision,
    at,
    type,
    compactionId,
    trigger,
    profile,
    importedFrom: typeof format === 'string' ? format : null,
    native: summary === null ? textOf(memberOf(native, 'provider')) : null,
    billedBefore: number('billedBefore'),
    billedAfter: number('billedAfter') ?? number('occupancyAfter'),
    countedBefore: number('countedBefore'),
    countedAfter: number('countedAfter'),
    coveredMessages: numberIn(memberOf(payload.covered, 'messages')) ?? null,
    fidelity: numberIn(memberOf(payload.fidelity, 'score')) ?? null,
    durationMs: number('durationMs'),
    nanoUsd: numberIn(memberOf(payload.cost, 'nanoUsd')) ?? null,
    reason: textOf(reason) ?? textOf(memberOf(reason, 'rule')) ?? textOf(memberOf(error, 'rule')),
    erasure: textOf(erasure),
  };
};

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
