import type { OccupancyMark } from '@app/client';
import { count, dollars, duration, fidelity, timeText } from '../../parts/text.js';
import { hrefOf } from '../../router.js';
import { kindOf, savedShare } from './mark-kinds.js';

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
      at revision {count(mark.revision)}, {timeText(mark.at)}.{' '}
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
    </p>
  );
};

const factsOf = (mark: OccupancyMark): readonly (readonly [term: string, value: string])[] => {
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
            `${count(billedBefore)} → ${count(billedAfter)} (${savedShare(mark) ?? ''})`,
          ] as const,
        ]),
    ...(mark.coveredMessages === null ? [] : [['messages summarized', count(mark.coveredMessages)] as const]),
    ...(mark.fidelity === null ? [] : [['fidelity', fidelity(mark.fidelity)] as const]),
    ...(mark.durationMs === null || mark.importedFrom !== null
      ? []
      : [['took', duration(mark.durationMs)] as const]),
    ...(mark.nanoUsd === null ? [] : [['cost', dollars(mark.nanoUsd)] as const]),
    ...(mark.reason === null ? [] : [['reason', mark.reason] as const]),
  ];
};

type TableProps = {
  readonly session: string;
  readonly marks: readonly OccupancyMark[];
  readonly omitted: number;
};

/** All marks as a table, which says the same without the drawing. */
export const MarkTable = ({ session, marks, omitted }: TableProps) => (
  <details class="marks-table" open={marks.length <= 60}>
    <summary>
      {count(marks.length)} marks{omitted > 0 && `, the newest; zoom in for ${count(omitted)} others`}
    </summary>
    <div class="scroll" tabIndex={0} role="group" aria-label="Marks">
      <table>
        <thead>
          <tr>
            <th scope="col">Revision</th>
            <th scope="col">Mark</th>
            <th scope="col">Trigger or reason</th>
            <th scope="col" class="number">
              Billed tokens before
            </th>
            <th scope="col" class="number">
              after
            </th>
            <th scope="col" class="number">
              Fidelity
            </th>
            <th scope="col">Time</th>
          </tr>
        </thead>
        <tbody>
          {marks.map((mark) => (
            <MarkRow key={`${mark.revision} ${mark.type}`} session={session} mark={mark} />
          ))}
        </tbody>
      </table>
    </div>
  </details>
);

const MarkRow = ({ session, mark }: Props) => {
  const { sign, name, tone } = kindOf(mark);
  return (
    <tr>
      <td class="number">
        <a href={hrefOf(['sessions', session, 'context'], { asOf: mark.revision })}>{count(mark.revision)}</a>
      </td>
      <td>
        <span class={`sign mark-${tone}`} aria-hidden="true">
          {sign}
        </span>{' '}
        {mark.compactionId === null ? (
          name
        ) : (
          <a href={hrefOf(['sessions', session, 'compactions', mark.compactionId])}>{name}</a>
        )}
      </td>
      <td>{mark.reason ?? mark.trigger ?? ''}</td>
      <td class="number">{mark.billedBefore === null ? '' : count(mark.billedBefore)}</td>
      <td class="number">{mark.billedAfter === null ? '' : count(mark.billedAfter)}</td>
      <td class="number">{mark.fidelity === null ? '' : fidelity(mark.fidelity)}</td>
      <td>{timeText(mark.at)}</td>
    </tr>
  );
};
