import type { RetentionColumn, RetentionMap, RetentionRow } from '@app/client';
import { useState } from 'preact/hooks';
import { api } from '../../api.js';
import { Empty, Loaded } from '../../parts/basics.js';
import { TextField } from '../../parts/fields.js';
import { useResource } from '../../parts/resource.js';
import { ScrollArea } from '../../parts/scroll-area.js';
import { count, counted } from '../../parts/text.js';
import { hrefOf, place, setQuery } from '../../router.js';
import type { ViewProps } from '../view-props.js';
import { type CellState, LEGEND, stateIn } from './cells.js';

const TURNS = 60;

/** The effect of each compaction on each turn: a row shows the whole life of a turn. */
export const RetentionPage = ({ session, round }: ViewProps) => {
  const from = Math.max(0, Number(place.value.query.get('from') ?? '0') || 0);
  const map = useResource(
    (signal) => api().sessions.retentionMap(session, { from, turns: TURNS, signal }),
    [session, from],
    round,
  );
  return (
    <section aria-label="Retention map">
      <p class="lead">
        The effect of each compaction on each turn: one column per compaction (▼ of this service, ▽ of the
        agent) with its revision, one row per turn. A cell leads to the reason.
      </p>
      <Loaded of={map} what="the retention map">
        {(value) =>
          value.columns.length === 0 ? (
            <Empty title="Nothing has been compacted yet: every turn is verbatim." />
          ) : (
            <>
              <Pager value={value} />
              <Legend />
              <Grid session={session} value={value} />
            </>
          )
        }
      </Loaded>
    </section>
  );
};

const Pager = ({
  value: { from, turns, rows, columns, omittedColumns },
}: {
  readonly value: RetentionMap;
}) => {
  const first = rows[0]?.turn ?? from;
  const last = rows.at(-1)?.turn ?? from;
  // Turns behind the newest compaction are not in the map. A part can have fewer rows than turns: the first one is 1.
  const hasLater = columns.some(({ turn }) => turn >= from + TURNS);
  const isAll = from === 0 && !hasLater;
  return (
    <div class="zoom">
      <span class="muted">
        {rows.length === turns
          ? counted(turns, 'turn')
          : `${first === last ? `Turn ${count(first)}` : `Turns ${count(first)} to ${count(last)}`} of ${count(turns)}`}
        {!hasLater && last < turns && '; no compaction has met a later one'}
        {omittedColumns > 0 &&
          `; the newest compactions: ${counted(omittedColumns, 'older one is', 'older ones are')} not shown`}
      </span>
      {!isAll && (
        <span class="actions">
          <TextField
            title="Turn"
            value={String(first)}
            isCommitted
            onValue={(turn) => setQuery({ from: Math.min(turns, Math.max(0, Number(turn) || 0)) })}
          />
          <button
            type="button"
            disabled={from === 0}
            onClick={() => setQuery({ from: Math.max(0, from - TURNS) })}
          >
            Earlier turns
          </button>
          <button type="button" disabled={!hasLater} onClick={() => setQuery({ from: from + TURNS })}>
            Later turns
          </button>
        </span>
      )}
    </div>
  );
};

type GridProps = { readonly session: string; readonly value: RetentionMap };

const Grid = ({ session, value }: GridProps) => {
  const [chosen, setChosen] = useState<readonly [row: number, column: number]>();
  const row = chosen && value.rows[chosen[0]];
  const column = chosen && value.columns[chosen[1]];
  return (
    <>
      <ScrollArea class="retention" label="Retention by turn and compaction">
        <table>
          <thead>
            <tr>
              <th scope="col">Turn</th>
              {value.columns.map((one) => (
                <th scope="col" key={one.revision}>
                  <a
                    class="column-link"
                    href={hrefOf(['sessions', session, 'compactions', one.compactionId])}
                    title={headOf(one)}
                    aria-label={headOf(one)}
                  >
                    {signOf(one)}
                    <span class="number">{count(one.revision)}</span>
                  </a>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {value.rows.map((one, at) => (
              <Row
                key={one.turn}
                session={session}
                row={one}
                columns={value.columns}
                chosen={chosen?.[0] === at ? chosen[1] : undefined}
                onChoose={(columnAt) => setChosen([at, columnAt])}
              />
            ))}
          </tbody>
        </table>
      </ScrollArea>
      <div class="detail" aria-live="polite">
        {row && column ? (
          <Reason session={session} row={row} column={column} at={chosen?.[1] ?? 0} columns={value.columns} />
        ) : (
          <p class="muted">Choose a cell.</p>
        )}
      </div>
    </>
  );
};

const signOf = ({ kind, importedFrom, isReverted }: RetentionColumn): string => {
  if (isReverted) return '↶';
  if (kind === 'reset') return '⟲';
  if (kind === 'fork') return '⑂';
  return importedFrom === null ? '▼' : '▽';
};

const headOf = ({
  kind,
  revision,
  importedFrom,
  isReverted,
  isInForce,
  compactionId,
}: RetentionColumn): string =>
  [
    `${importedFrom === null ? '' : 'The agent’s '}${kind} ${compactionId} at revision ${count(revision)}`,
    ...(isReverted ? ['reverted'] : []),
    ...(isInForce ? ['in force'] : []),
  ].join(', ');

type RowProps = {
  readonly session: string;
  readonly row: RetentionRow;
  readonly columns: readonly RetentionColumn[];
  readonly chosen: number | undefined;
  readonly onChoose: (column: number) => void;
};

const Row = ({ session, row, columns, chosen, onChoose }: RowProps) => (
  <tr>
    <th scope="row">
      <a href={hrefOf(['sessions', session, 'messages', row.from])} title={`${row.from} to ${row.to}`}>
        {count(row.turn)}
      </a>{' '}
      <span class="muted number">{counted(row.messages, 'message')}</span>
    </th>
    {columns.map((column, at) => {
      const state = stateIn(row, columns, at);
      const { sign, name } = LEGEND[state];
      return (
        <td key={column.revision} class="cell">
          <button
            type="button"
            class={`cell-${state}`}
            aria-pressed={chosen === at}
            aria-label={`Turn ${row.turn} at ${headOf(column)}: ${name}`}
            onClick={() => onChoose(at)}
          >
            {sign}
          </button>
        </td>
      );
    })}
  </tr>
);

type ReasonProps = {
  readonly session: string;
  readonly row: RetentionRow;
  readonly column: RetentionColumn;
  readonly columns: readonly RetentionColumn[];
  readonly at: number;
};

const Reason = ({ session, row, column, columns, at }: ReasonProps) => {
  const { name, says } = LEGEND[stateIn(row, columns, at)];
  const cell = row.cells[at];
  return (
    <p>
      <strong>
        Turn {count(row.turn)}: {name}.
      </strong>{' '}
      {says} {row.from} to {row.to}, {count(row.tokens)} counted tokens.
      {cell && cell.toolOutputs !== 'none' && ` Tool outputs: ${cell.toolOutputs}.`}
      {cell && cell.reasoning !== 'none' && ` Reasoning: ${cell.reasoning}.`}{' '}
      <a href={hrefOf(['sessions', session, 'compactions', column.compactionId])}>
        Why: {column.compactionId}
      </a>{' '}
      <a href={hrefOf(['sessions', session, 'messages', row.from])}>Life of {row.from}</a>{' '}
      <a href={hrefOf(['sessions', session, 'context'], { asOf: column.revision })}>Context then</a>
    </p>
  );
};

const Legend = () => (
  <ul class="legend cells" aria-label="Signs">
    {(Object.entries(LEGEND) as readonly (readonly [CellState, (typeof LEGEND)[CellState]])[]).map(
      ([state, { sign, name }]) => (
        <li key={state}>
          <span class={`swatch cell-${state}`} aria-hidden="true">
            {sign}
          </span>{' '}
          {name}
        </li>
      ),
    )}
  </ul>
);
