import type { IdleTime, OccupancyMark, OccupancyPoint, OccupancySeries } from '@app/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { count, duration, thousands, timeText } from '../../parts/text.js';
import { kindOf, labelOf } from './mark-kinds.js';
import {
  areaOf,
  HEIGHT,
  lineOf,
  MARGIN,
  PARTS,
  type Part,
  pointAt,
  type Scales,
  scalesOf,
  ticksIn,
} from './scales.js';

const NAMES: Readonly<Record<Part, string>> = {
  system: 'system and tools',
  pinned: 'pinned',
  summary: 'summary',
  tail: 'messages',
};

type Props = {
  readonly series: OccupancySeries;
  readonly cursor: number;
  readonly onMove: (revision: number) => void;
  readonly onOpen: (revision: number) => void;
};

/** Occupancy over revisions as stacked areas, with thresholds and marks. */
export const Sawtooth = ({ series, cursor, onMove, onOpen }: Props) => {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(900);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const scales = scalesOf(series, width);
  const revisionAt = ({ clientX, currentTarget }: MouseEvent & { readonly currentTarget: Element }): number =>
    scales.revisionAt(clientX - currentTarget.getBoundingClientRect().left);
  const shown = series.marks.filter((mark) => kindOf(mark).sign !== '·');
  return (
    <div class="sawtooth" ref={box}>
      <svg width={width} height={HEIGHT} aria-hidden="true">
        <Axes scales={scales} series={series} />
        <Areas series={series} scales={scales} />
        <Limits scales={scales} series={series} />
        {shown.map((mark) => (
          <line
            key={keyOf(mark)}
            class={`mark-line mark-${kindOf(mark).tone}`}
            x1={scales.x(mark)}
            x2={scales.x(mark)}
            y1={24}
            y2={HEIGHT - MARGIN.bottom}
          />
        ))}
        <line
          class="crosshair"
          x1={scales.x({ revision: cursor })}
          x2={scales.x({ revision: cursor })}
          y1={MARGIN.top}
          y2={HEIGHT - MARGIN.bottom}
        />
      </svg>
      <button
        type="button"
        class="plot"
        aria-label={`Context as of revision ${count(cursor)}`}
        onMouseMove={(event) => onMove(revisionAt(event))}
        // A click by the keyboard has no place.
        onClick={(event) => onOpen(event.detail === 0 ? cursor : revisionAt(event))}
      />
      <Marks marks={shown} scales={scales} cursor={cursor} onMove={onMove} onOpen={onOpen} />
      <Slider series={series} scales={scales} cursor={cursor} onMove={onMove} onOpen={onOpen} />
    </div>
  );
};

/** Pixels of its thumb, whose middle is at a place of the axis. */
const THUMB = 16;

/** A slider below the axis: its thumb stands under the moment that it chooses, an arrow key moves it by one revision. */
const Slider = ({ series, scales, cursor, onMove, onOpen }: Props & { readonly scales: Scales }) => {
  const [left, right] = [MARGIN.left, scales.width - MARGIN.right];
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') onOpen(cursor);
    const page = Math.ceil((series.to - series.from) / 10);
    const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: page, PageDown: -page }[
      event.key
    ];
    if (by === undefined) return;
    event.preventDefault();
    onMove(Math.min(series.to, Math.max(series.from, cursor + by)));
  };
  return (
    <input
      type="range"
      class="slider"
      aria-label="Revision"
      aria-valuetext={count(cursor)}
      min={left}
      max={right}
      step="any"
      value={scales.x({ revision: cursor })}
      style={{ marginLeft: `${left - THUMB / 2}px`, width: `${right - left + THUMB}px` }}
      onInput={({ currentTarget }) => {
        const revision = scales.revisionAt(Number(currentTarget.value));
        currentTarget.value = String(scales.x({ revision }));
        onMove(revision);
      }}
      onKeyDown={onKeyDown}
    />
  );
};

const keyOf = ({ revision, type }: OccupancyMark): string => `${revision} ${type}`;

const Areas = ({ series, scales }: { readonly series: OccupancySeries; readonly scales: Scales }) => (
  <g>
    {PARTS.map((part) => (
      <path key={part} class={`area area-${part}`} d={areaOf(series.points, part, scales)} />
    ))}
    <path class="occupancy-line" d={lineOf(series.points, scales)} />
  </g>
);

const Axes = ({ series, scales }: { readonly series: OccupancySeries; readonly scales: Scales }) => {
  const low = HEIGHT - MARGIN.bottom;
  const labels = labelsOf(series, scales);
  const named = namedOf(series.activity?.idle ?? [], scales);
  return (
    <g class="axes">
      {ticksIn(0, scales.top, 4).map((tokens) => (
        <g key={tokens}>
          <line
            x1={MARGIN.left}
            x2={scales.width - MARGIN.right}
            y1={scales.y(tokens)}
            y2={scales.y(tokens)}
          />
          <text x={MARGIN.left - 8} y={scales.y(tokens) + 4} text-anchor="end">
            {thousands(tokens)}
          </text>
        </g>
      ))}
      {labels.map(({ x, text }, at) =>
        text === labels[at - 1]?.text ? null : (
          <text
            key={x}
            x={x}
            y={low + 17}
            text-anchor={x < 80 ? 'start' : x > scales.width - 60 ? 'end' : 'middle'}
          >
            {text}
          </text>
        ),
      )}
      {series.activity?.idle.map((idle) => (
        <g key={idle.revision} class="idle">
          <line x1={scales.x(idle)} x2={scales.x(idle)} y1={MARGIN.top} y2={low} />
          {named.has(idle) && (
            <text x={scales.x(idle) + 3} y={MARGIN.top - 1}>
              {duration(idleMs(idle))}
            </text>
          )}
        </g>
      ))}
    </g>
  );
};

const idleMs = ({ from, to }: IdleTime): number => Date.parse(to) - Date.parse(from);

/** Pixels of the name of an idle time. */
const IDLE_NAME = 44;

/** Returns the idle times whose names have room: the longest first. */
const namedOf = (idle: readonly IdleTime[], scales: Scales): ReadonlySet<IdleTime> => {
  const named: IdleTime[] = [];
  for (const one of idle.toSorted((a, b) => idleMs(b) - idleMs(a)))
    if (named.every((other) => Math.abs(scales.x(one) - scales.x(other)) >= IDLE_NAME)) named.push(one);
  return new Set(named);
};

type Label = { readonly x: number; readonly text: string };

/** Labels below the plot: round revisions, or the times at regular places. */
const labelsOf = ({ activity, points, from, to }: OccupancySeries, scales: Scales): readonly Label[] => {
  const steps = scales.width < 500 ? 3 : 6;
  if (!activity)
    return ticksIn(from, to, steps).map((revision) => ({ x: scales.x({ revision }), text: count(revision) }));
  const inner = scales.width - MARGIN.left - MARGIN.right;
  return Array.from({ length: steps + 1 }, (_, at) => {
    const x = MARGIN.left + (inner * at) / steps;
    const text = timeText(pointAt(points, scales.revisionAt(x))?.at ?? '');
    return { x, text: activity.activeMs < 600_000 ? text.slice(11) : text.slice(5, 16) };
  });
};

const Limits = ({ series, scales }: { readonly series: OccupancySeries; readonly scales: Scales }) => {
  const lines = [
    { name: 'window', tokens: series.window },
    { name: 'trigger', tokens: series.thresholds?.trigger ?? 0 },
  ].filter(({ tokens }) => tokens > 0 && tokens <= scales.top);
  return (
    <g class="limits">
      {lines.map(({ name, tokens }) => (
        <g key={name} class={`limit limit-${name}`}>
          <line
            x1={MARGIN.left}
            x2={scales.width - MARGIN.right}
            y1={scales.y(tokens)}
            y2={scales.y(tokens)}
          />
          <text x={MARGIN.left + 4} y={scales.y(tokens) - 4}>
            {name} {count(tokens)}
          </text>
        </g>
      ))}
    </g>
  );
};

type MarksProps = Omit<Props, 'series'> & {
  readonly marks: readonly OccupancyMark[];
  readonly scales: Scales;
};

/** Marks above the plot: one tab stop, and arrow keys from mark to mark. */
const Marks = ({ marks, scales, cursor, onMove, onOpen }: MarksProps) => {
  const row = useRef<HTMLDivElement>(null);
  const stop = Math.max(
    0,
    marks.findIndex(({ revision }) => revision >= cursor),
  );
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const next = by === undefined ? undefined : marks[Math.min(marks.length - 1, Math.max(0, stop + by))];
    if (!next) return;
    event.preventDefault();
    onMove(next.revision);
    requestAnimationFrame(() => row.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus());
  };
  return (
    <div ref={row}>
      {marks.map((mark, at) => {
        const { sign, tone } = kindOf(mark);
        return (
          <button
            type="button"
            key={keyOf(mark)}
            class={`mark mark-${tone}`}
            tabIndex={at === stop ? 0 : -1}
            aria-label={labelOf(mark)}
            style={{ left: `${scales.x(mark)}px` }}
            onMouseEnter={() => onMove(mark.revision)}
            onFocus={() => onMove(mark.revision)}
            onClick={() => onOpen(mark.revision)}
            onKeyDown={onKeyDown}
          >
            {sign}
          </button>
        );
      })}
    </div>
  );
};

/** The parts of a point, with their patches. */
export const Legend = ({ point }: { readonly point: OccupancyPoint }) => (
  <span class="legend">
    {PARTS.map((part) => (
      <span key={part}>
        <svg width="10" height="10" aria-hidden="true">
          <rect class={`area area-${part}`} width="10" height="10" />
        </svg>{' '}
        {NAMES[part]} <span class="number">{count(point[part])}</span>
      </span>
    ))}
  </span>
);
