import type { RetentionColumn, RetentionRow } from '@app/client';

/** The state of a turn at a compaction. */
export type CellState =
  | 'verbatim'
  | 'split'
  | 'summarized'
  | 'in-summary'
  | 'outputs'
  | 'snipped'
  | 'collapsed'
  | 'dropped'
  | 'cleared'
  | 'brought-back'
  | 'later';

/** Signs and names of states: colours only repeat them. */
export const LEGEND: Readonly<
  Record<CellState, { readonly sign: string; readonly name: string; readonly says: string }>
> = {
  verbatim: { sign: '█', name: 'verbatim', says: 'Requests carry all of it.' },
  outputs: {
    sign: '▓',
    name: 'tool outputs reduced',
    says: 'Its messages stay; tool outputs are cleared, off-loaded or dropped.',
  },
  split: { sign: '▌', name: 'split', says: 'A summary stands for its older part; the newer part stays.' },
  summarized: { sign: '▒', name: 'summarized', says: 'A summary stands for it.' },
  'in-summary': {
    sign: '░',
    name: 'in an earlier summary',
    says: 'An earlier summary stands for it, which this compaction took over.',
  },
  snipped: { sign: '╌', name: 'snipped', says: 'Requests leave messages of it out.' },
  collapsed: { sign: '≡', name: 'collapsed', says: 'A few lines stand for it.' },
  dropped: { sign: '×', name: 'dropped', says: 'The newest request left messages of it out to fit.' },
  cleared: { sign: '○', name: 'cleared by a reset', says: 'A reset cleared it; no summary stands for it.' },
  'brought-back': {
    sign: '↶',
    name: 'brought back by a revert',
    says: 'The compaction was reverted: it counts no more.',
  },
  later: { sign: '·', name: 'not there yet', says: 'The turn began later.' },
};

const GONE: ReadonlySet<CellState> = new Set(['summarized', 'in-summary', 'cleared']);
const REDUCED: ReadonlySet<string> = new Set(['dropped', 'offloaded', 'cleared', 'pruned', 'masked', 'cut']);

/** Returns the state of a turn at a column, from its record there or from the columns before. */
export const stateIn = (row: RetentionRow, columns: readonly RetentionColumn[], at: number): CellState => {
  const column = columns[at];
  if (!column) return 'later';
  const cell = row.cells[at];
  if (column.isReverted && cell && cell.rule !== 'verbatim') return 'brought-back';
  if (cell) {
    if (cell.rule === 'verbatim') return REDUCED.has(cell.toolOutputs) ? 'outputs' : 'verbatim';
    return cell.rule;
  }
  if (row.turn > column.turn) return 'later';
  if (column.kind === 'reset') return row.turn < column.turn ? 'cleared' : 'verbatim';
  for (let before = at - 1; before >= 0; before -= 1) {
    if (columns[before]?.isReverted) continue;
    const state = stateIn(row, columns, before);
    if (state === 'later') continue;
    return GONE.has(state) ? (state === 'cleared' ? 'cleared' : 'in-summary') : state;
  }
  return column.isReverted ? 'verbatim' : 'in-summary';
};
