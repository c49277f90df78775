import type { RetentionColumn, RetentionMap } from '@app/contract';
import type { PartRule, RetentionRule, SessionEventType } from '@app/domain';
import { invariant } from '@app/kernel';
import type { Milestone, ReadModels, RetainedTurn } from '@app/ports';
import { QueryOnSession } from '../../command-and-query.js';
import { Handler, HandlesQuery } from '../../handlers.js';
import { requireOpen } from '../../sessions/session-ref.js';
import { memberOf, numberIn } from './composition.js';

/** Columns of one answer: the newest. */
const COLUMNS_MAX = 200;

/** The recorded state of a turn at a compaction; `null` without one, because an earlier summary stands for the turn or it came later. */
type RetentionCell = {
  readonly rule: RetentionRule;
  readonly toolOutputs: PartRule;
  readonly reasoning: PartRule;
} | null;

/** Returns the state of a range of turns at every compaction of a session. */
export class ReadRetention extends QueryOnSession<
  RetentionMap,
  { readonly from: number; readonly turns: number }
> {}

@HandlesQuery(ReadRetention)
export class ReadRetentionHandler extends Handler<
  ReadRetention,
  'sessions',
  { readonly readModels: Pick<ReadModels, 'milestones' | 'retainedTurns'> }
> {
  /** @throws {AppError} `session-not-found`. */
  async execute({ ref, input: { from, turns } }: ReadRetention): Promise<RetentionMap> {
    const { state, revision } = await this.parts.sessions.load(ref);
    const session = requireOpen(ref, state);
    invariant(revision !== undefined, 'an open session has a revision');
    const [milestones, retained] = await Promise.all([
      this.parts.readModels.milestones({ ...ref, types: TYPES }),
      this.parts.readModels.retainedTurns({ ...ref, from, to: from + turns - 1 }),
    ]);
    const until = milestones.filter((one) => one.revision <= revision);
    const all = columnsOf(until, session.pivot?.compactionId);
    const columns = all.slice(-COLUMNS_MAX);
    return {
      session: ref.session,
      revision,
      turns: session.turn,
      from,
      columns,
      omittedColumns: all.length - columns.length,
      rows: rowsOf(retained, columns),
    };
  }
}

const KINDS = {
  CompactionCompleted: 'compaction',
  SessionReset: 'reset',
  SessionForked: 'fork',
} as const satisfies Partial<Record<SessionEventType, RetentionColumn['kind']>>;
const isPivot = (type: SessionEventType): type is keyof typeof KINDS => Object.hasOwn(KINDS, type);
const TYPES = ['CompactionCompleted', 'SessionReset', 'SessionForked', 'CompactionReverted'] as const;

const columnsOf = (milestones: readonly Milestone[], inForce: string | undefined): RetentionColumn[] => {
  const reverted = new Set(
    milestones.filter(({ type }) => type === 'CompactionReverted').map(({ compactionId }) => compactionId),
  );
  return milestones.flatMap(({ type, compactionId, revision, at, payload }) => {
    if (!isPivot(type)) return [];
    const format = memberOf(payload.imported, 'format');
    return [
      {
        compactionId: compactionId ?? '',
        kind: KINDS[type],
        revision,
        at,
        turn: numberIn(payload.turn) ?? 0,
        importedFrom: typeof format === 'string' ? format : null,
        isReverted: reverted.has(compactionId),
        isInForce: compactionId === inForce,
      },
    ];
  });
};

type MutableRow = Omit<RetentionMap['rows'][number], 'cells'> & { readonly cells: RetentionCell[] };

/** A turn has the extent that its newest record states: it may have grown since an earlier one. */
const rowsOf = (
  retained: readonly RetainedTurn[],
  columns: readonly RetentionColumn[],
): RetentionMap['rows'] => {
  const places = new Map(columns.map(({ compactionId }, at) => [compactionId, at]));
  const rows = new Map<number, MutableRow>();
  for (const { compactionId, turn, from, to, messages, tokens, rule, toolOutputs, reasoning } of retained) {
    const place = places.get(compactionId);
    if (place === undefined) continue;
    const cells = rows.get(turn)?.cells ?? columns.map((): RetentionCell => null);
    cells[place] = { rule, toolOutputs, reasoning };
    rows.set(turn, { turn, from, to, messages, tokens, cells });
  }
  return [...rows.values()].sort((a, b) => a.turn - b.turn);
};
