import type { CompactionSummary, OccupancyMark } from '@app/client';
import { count, fidelity, spaced } from '../../parts/text.js';
import { SKIPS } from '../compactions/skips.js';

/** A kind of mark: its sign, so that colour is never the only difference, and its name. */
export type MarkKind = {
  readonly sign: string;
  readonly name: string;
  readonly tone: 'own' | 'agent' | 'undo' | 'trouble' | 'other';
};

const OWN: MarkKind = { sign: '▼', name: 'Compaction', tone: 'own' };
const AGENT: MarkKind = { sign: '▽', name: 'Compaction by the agent', tone: 'agent' };
const AGENT_CLEARED: MarkKind = { sign: '◇', name: 'Tool outputs cleared by the agent', tone: 'agent' };

const KINDS: Readonly<Record<string, MarkKind>> = {
  CompactionFailed: { sign: '✕', name: 'Compaction failed', tone: 'trouble' },
  CompactionSkipped: { sign: '○', name: 'Compaction skipped', tone: 'other' },
  CompactionCancelled: { sign: '⊘', name: 'Compaction cancelled', tone: 'other' },
  CompactionReverted: { sign: '↶', name: 'Compaction reverted', tone: 'undo' },
  CompactionOverridden: { sign: '↷', name: 'Override', tone: 'trouble' },
  CompactionCircuitOpened: { sign: '⚡', name: 'Circuit breaker opened', tone: 'trouble' },
  ContentErased: { sign: '▨', name: 'Content erased', tone: 'undo' },
  ContextOverflowed: { sign: '■', name: 'Overflow: no request fits', tone: 'trouble' },
  LadderEntered: { sign: '≡', name: 'Requests shortened', tone: 'trouble' },
  OverflowReported: { sign: '!', name: 'Overflow reported by the provider', tone: 'trouble' },
  ProviderContextEdited: { sign: '✎', name: 'Context edited by the provider', tone: 'other' },
  RequestRefused: { sign: '‖', name: 'Request refused', tone: 'trouble' },
  SessionReset: { sign: '⟲', name: 'Reset', tone: 'undo' },
  SessionForked: { sign: '⑂', name: 'Fork', tone: 'undo' },
  ToolOutputsPruned: { sign: '◆', name: 'Tool outputs pruned', tone: 'own' },
};

export const kindOf = ({ type, importedFrom }: OccupancyMark): MarkKind => {
  if (type === 'CompactionCompleted') return importedFrom === null ? OWN : AGENT;
  if (type === 'ToolOutputsPruned' && importedFrom !== null) return AGENT_CLEARED;
  return KINDS[type] ?? { sign: '·', name: spaced(type), tone: 'other' };
};

const BY_OUTCOME = new Map<CompactionSummary['outcome'], MarkKind | undefined>([
  ['failed', KINDS.CompactionFailed],
  ['skipped', KINDS.CompactionSkipped],
  ['cancelled', KINDS.CompactionCancelled],
  ['reverted', KINDS.CompactionReverted],
]);

/** Returns the kind of a compaction in a list. */
export const kindOfCompaction = ({
  outcome,
  trigger,
}: Pick<CompactionSummary, 'outcome' | 'trigger'>): MarkKind =>
  BY_OUTCOME.get(outcome) ?? (trigger === 'imported' ? AGENT : OWN);

/** Returns one line about a mark, as a screen reader reads it. */
export const labelOf = (mark: OccupancyMark): string => {
  const { billedBefore, billedAfter, revision, trigger } = mark;
  const reason = reasonOf(mark);
  const parts = [
    `${kindOf(mark).name} at revision ${count(revision)}`,
    ...(trigger === null ? [] : [`trigger ${trigger}`]),
    ...(billedBefore === null || billedAfter === null
      ? []
      : [`${count(billedBefore)} to ${count(billedAfter)} billed tokens`]),
    ...(mark.fidelity === null ? [] : [`fidelity ${fidelityOf(mark)}`]),
    ...(reason === null ? [] : [reason]),
  ];
  return parts.join(', ');
};

/** Returns the fidelity of a compaction, if it was measured: at least that much where only its provider can read the summary. */
export const fidelityOf = ({ fidelity: share, native }: OccupancyMark): string =>
  share === null ? '' : `${native === null ? '' : 'at least '}${fidelity(share)}`;

/** Returns the reason of a mark; of a skipped compaction, with its remedy. */
export const reasonOf = ({ reason, type }: OccupancyMark): string | null => {
  const says = type === 'CompactionSkipped' && Object.entries(SKIPS).find(([rule]) => rule === reason)?.[1];
  return says ? `${reason}: ${says}` : reason;
};
