import type { OccupancySeries } from '@app/client';
import { useState } from 'preact/hooks';
import { api } from '../api.js';
import { recording } from '../offline.js';
import { Empty, Loaded } from '../parts/basics.js';
import { useResource } from '../parts/resource.js';
import { count, counted, duration, timeText } from '../parts/text.js';
import { go, hrefOf, place, setQuery } from '../router.js';
import { MarkDetail, MarkTable } from './sawtooth/mark-detail.js';
import { Legend, Sawtooth } from './sawtooth/sawtooth.js';
import { pointAt } from './sawtooth/scales.js';
import type { ViewProps } from './view-props.js';

const BINS = 600;
/** Milliseconds of activity below which a drawing over time says nothing. */
const TIMED_MS = 1_000;

/** Events after which another summary is in force, or none. */
const PIVOTS: ReadonlySet<string> = new Set(['CompactionCompleted', 'CompactionReverted', 'SessionReset']);

/** The occupancy of a session over its revisions or over time: with the events that made it fall. */
export const Overview = ({ session, round }: ViewProps) => {
  const { query } = place.value;
  const range = { ...numberIn(query, 'from'), ...numberIn(query, 'to') };
  const axis = query.get('axis') === 'time' ? ({ axis: 'time' } as const) : {};
  const series = useResource(
    (signal) => api().sessions.occupancy(session, { ...range, ...axis, bins: BINS, signal }),
    [session, range.from, range.to, axis.axis],
    round,
  );
  return (
    <Loaded of={series} what="the occupancy">
      {(value) =>
        value.points.length === 0 ? (
          <Empty title="Nothing has a size here yet.">
            <p>The read model may lag behind the log for a moment. Reload, or choose a wider range.</p>
            <button type="button" onClick={series.reload}>
              Reload
            </button>
          </Empty>
        ) : value.points.every(({ max }) => max === 0) ? (
          <Empty title="No message yet.">
            <p>The size of the next request is drawn here from the first message on.</p>
          </Empty>
        ) : (
          <Chart session={session} series={value} />
        )
      }
    </Loaded>
  );
};

const numberIn = (
  query: URLSearchParams,
  name: 'from' | 'to',
): { readonly [one in typeof name]?: number } => {
  const text = query.get(name);
  return text !== null && /^\d+$/.test(text) ? { [name]: Number(text) } : {};
};

const Chart = ({ session, series }: { readonly session: string; readonly series: OccupancySeries }) => {
  // The newest revision, also of a session that goes on, unless another one was chosen.
  const [cursor = series.to, setCursor] = useState<number>();
  const at = Math.min(Math.max(cursor, series.from), series.to);
  const point = pointAt(series.points, at);
  const mark = series.marks.find(({ revision }) => revision === at);
  const pivot = series.marks.findLast(({ revision, type }) => revision <= at && PIVOTS.has(type));
  const openContext = (revision: number): void =>
    go(hrefOf(['sessions', session, 'context'], { asOf: revision }));
  return (
    <section aria-label="Occupancy">
      <p class="lead">
        The size of the next request in billed tokens: messages raise it, compactions lower it (▼ of this
        service, ▽ of the agent). A click opens the context.
      </p>
      <Zoom series={series} at={at} />
      {series.activity && series.activity.activeMs < TIMED_MS && (
        <p class="notice">
          These events were recorded within {duration(TIMED_MS)}: the transcript of an imported session may
          have no times. Over revisions, they stand apart.
        </p>
      )}
      <Sawtooth
        series={series}
        cursor={at}
        onMove={(revision) => setCursor(revision === series.to ? undefined : revision)}
        onOpen={openContext}
      />
      <div class="detail" aria-live="polite">
        {point && (
          <p>
            <strong class="number">{count(point.occupancy)}</strong> billed tokens at revision{' '}
            {count(point.revision)} ({series.activity ? '' : 'recorded '}
            {timeText(point.at)}): <Legend point={point} />
            {pivot?.native &&
              ` The summary is encrypted: only ${pivot.native} can read it, and its tokens are not counted.`}
          </p>
        )}
        {mark && <MarkDetail session={session} mark={mark} />}
        <p>
          <a href={hrefOf(['sessions', session, 'context'], { asOf: at })}>
            Context as of revision {count(at)}
          </a>
        </p>
      </div>
      <MarkTable session={session} marks={series.marks} omitted={series.omittedMarks} />
    </section>
  );
};

const idleText = (idle: NonNullable<OccupancySeries['activity']>['idle']): string => {
  const ms = idle.reduce((sum, { from, to }) => sum + Date.parse(to) - Date.parse(from), 0);
  return idle.length === 0
    ? 'without a longer pause'
    : `without ${counted(idle.length, 'idle time')}, ${duration(ms)} in all`;
};

const Zoom = ({ series, at }: { readonly series: OccupancySeries; readonly at: number }) => {
  const { from, to, revision, width, activity } = series;
  const show = (span: number): void => {
    const start = Math.max(0, Math.round(at - span / 2));
    const end = Math.min(revision, Math.round(start + span));
    const isAll = start === 0 && end === revision;
    setQuery({ from: isAll ? undefined : start, to: isAll ? undefined : end });
  };
  return (
    <div class="zoom">
      <span class="muted">
        Revisions {count(from)} to {count(to)} of {count(revision)}, over {activity ? 'time' : 'revisions'}
        {!activity && width > 1 && `, ${counted(width, 'revision')} to a point`}
        {activity && `, ${duration(activity.activeMs)} of activity ${idleText(activity.idle)}`}
      </span>
      <span class="actions">
        <button
          type="button"
          aria-pressed={activity !== undefined}
          onClick={() => setQuery({ axis: activity ? undefined : 'time' })}
        >
          Over time
        </button>
        <button
          type="button"
          onClick={() => show((to - from) / 2)}
          // A file holds the whole range alone.
          disabled={to - from < 4 || recording !== undefined}
        >
          Zoom in
        </button>
        <button type="button" onClick={() => show((to - from) * 2)} disabled={from === 0 && to === revision}>
          Zoom out
        </button>
        <button
          type="button"
          onClick={() => setQuery({ from: undefined, to: undefined })}
          disabled={from === 0 && to === revision}
        >
          All
        </button>
      </span>
    </div>
  );
};
