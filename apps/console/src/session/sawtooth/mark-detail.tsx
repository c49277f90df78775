import type { OccupancyMark } from '@app/client';
import { ReceiptLink } from '../../parts/erased.js';
import { type Column, Table } from '../../parts/table.js';
import { changeOf, count, counted, countIfKnown, dollars, duration, timeText } from '../../parts/text.js';
import { hrefOf } from '../../router.js';
import { fidelityOf, kindOf, reasonOf } from './mark-kinds.js';

type Props = { readonly session: string; readonly mark: OccupancyMark };

/** The facts of a mark; each has its unit. */
export const MarkDetail = ({ session, mark }: Props) => {
  const { sign, name } = kindOf(mark);
  return (
    <p class="mark-detail">
      <strong>
        <span aria-hidden="true">{sign} </span>
        {name}
      </strong>{' '}
      at revision {count(mark.revision)}, recorded {timeText(mark.at)}.{' '}
      {factsOf(mark).map(([term, value]) => (
        <span class="fact" key={term}>
          <span class="muted">{term}</span> {value}
        </span>
      ))}{' '}
      {mark.compactionId !== null && (
        <a href={hrefOf(['sessions', session, 'compactions', mark.compactionId])}>
          Explain {mark.compactionId}
        </a>
      )}
      {mark.erasure !== null && <ReceiptLink erasure={mark.erasure} />}
    </p>
  );
};

const factsOf = (mark: OccupancyMark): readonly (readonly [term: string, value: string | null])[] => {
  const { billedBefore, billedAfter } = mark;
  return [
    ...(mark.trigger === null ? [] : [['trigger', mark.trigger] as const]),
    ...(mark.profile === null ? [] : [['profile', mark.profile] as const]),
    ...(mark.importedFrom === null ? [] : [['by', `the agent (${mark.importedFrom})`] as const]),
    ...(billedBefore === null || billedAfter === null
      ? []
      : [
          [
            'billed tokens',
            `${count(billedBefore)} → ${count(billedAfter)}${billedBefore === 0 ? '' : ` (${changeOf(billedBefore, billedAfter)})`}`,
          ] as const,
        ]),
    ...(mark.coveredMessages === null ? [] : [['messages summarized', count(mark.coveredMessages)] as const]),
    ...(mark.fidelity === null ? [] : [['fidelity', fidelityOf(mark)] as const]),
    ...(mark.durationMs === null || mark.importedFrom !== null
      ? []
      : [['took', duration(mark.durationMs)] as const]),
    ...(mark.nanoUsd === null ? [] : [['cost', dollars(mark.nanoUsd)] as const]),
    ...(mark.reason === null ? [] : [['reason', reasonOf(mark)] as const]),
  ];
};

type TableProps = {
  readonly session: string;
  readonly marks: readonly OccupancyMark[];
  readonly omitted: number;
};

/** All marks as a table, which says the same without the drawing. */
export const MarkTable = ({ session, marks, omitted }: TableProps) =>
  marks.length === 0 ? (
    <p class="muted">No compaction, revert, overflow or other mark in these revisions.</p>
  ) : (
    <details class="marks-table" open={marks.length <= 60}>
      <summary>
        {counted(marks.length, 'mark')}
        {omitted > 0 && `, the newest; zoom in for ${counted(omitted, 'other')}`}
      </summary>
      <Table
        label="Marks"
        rows={marks}
        keyOf={({ revision, type }) => `${revision} ${type}`}
        columns={columnsOf(session)}
      />
    </details>
  );

const columnsOf = (session: string): readonly Column<OccupancyMark>[] => [
  {
    title: 'Revision',
    isNumber: true,
    cell: ({ revision }) => (
      <a href={hrefOf(['sessions', session, 'context'], { asOf: revision })}>{count(revision)}</a>
    ),
  },
  { title: 'Mark', cell: (mark) => <MarkName session={session} mark={mark} /> },
  {
    title: 'Trigger or reason',
    cell: (mark) =>
      mark.erasure === null ? (reasonOf(mark) ?? mark.trigger) : <ReceiptLink erasure={mark.erasure} />,
  },
  { title: 'Billed tokens before', isNumber: true, cell: ({ billedBefore }) => countIfKnown(billedBefore) },
  { title: 'after', isNumber: true, cell: ({ billedAfter }) => countIfKnown(billedAfter) },
  {
    title: 'Fidelity, 0 to 1',
    isNumber: true,
    cell: (mark) => fidelityOf(mark),
  },
  { title: 'Recorded', cell: ({ at }) => timeText(at) },
];

const MarkName = ({ session, mark }: Props) => {
  const { sign, name, tone } = kindOf(mark);
  return (
    <>
      <span class={`sign mark-${tone}`} aria-hidden="true">
        {sign}
      </span>{' '}
      {mark.compactionId === null ? (
        name
      ) : (
        <a href={hrefOf(['sessions', session, 'compactions', mark.compactionId])}>{name}</a>
      )}
    </>
  );
};
