import type { OccupancyMark, OccupancyPoint, OccupancySeries } from '@app/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { count, thousands } from '../../parts/text.js';
import { kindOf, labelOf } from './mark-kinds.js';
import {
  areaOf,
  HEIGHT,
  lineOf,
  MARGIN,
  PARTS,
  type Part,
  type Scales,
  scalesOf,
  ticksTo,
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
  const revisionOf = (event: MouseEvent & { readonly currentTarget: Element }): number =>
    scales.revisionAt(event.clientX - event.currentTarget.getBoundingClientRect().left);
  return (
    <div class="sawtooth" ref={box}>
      <svg width={width} height={HEIGHT} role="group" aria-label="Occupancy in billed tokens over revisions">
        <Axes scales={scales} series={series} />
        <Areas series={series} scales={scales} />
        <Limits scales={scales} series={series} />
        <line
          class="crosshair"
          x1={scales.x(cursor)}
          x2={scales.x(cursor)}
          y1={MARGIN.top}
          y2={HEIGHT - MARGIN.bottom}
        />
        <rect
          class="catcher"
          x={0}
          y={MARGIN.top}
          width={width}
          height={HEIGHT - MARGIN.top}
          onMouseMove={(event) => onMove(revisionOf(event))}
          onClick={(event) => onOpen(revisionOf(event))}
        />
        <Marks marks={series.marks} scales={scales} cursor={cursor} onMove={onMove} onOpen={onOpen} />
      </svg>
    </div>
  );
};

const Areas = ({ series, scales }: { readonly series: OccupancySeries; readonly scales: Scales }) => (
  <g aria-hidden="true">
    {PARTS.map((part) => (
      <path key={part} class={`area area-${part}`} d={areaOf(series.points, part, scales, series.to)} />
    ))}
    <path class="occupancy-line" d={lineOf(series.points, scales, series.to)} />
  </g>
);

const Axes = ({ series, scales }: { readonly series: OccupancySeries; readonly scales: Scales }) => {
  const { from, to } = series;
  const low = HEIGHT - MARGIN.bottom;
  const steps = scales.width < 500 ? 3 : 6;
  const marks = Array.from({ length: steps + 1 }, (_, at) => Math.round(from + ((to - from) * at) / steps));
  return (
    <g class="axes" aria-hidden="true">
      {ticksTo(scales.top).map((tokens) => (
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
      {[...new Set(marks)].map((revision) => (
        <text
          key={revision}
          x={scales.x(revision)}
          y={low + 17}
          text-anchor={revision === from ? 'start' : revision === to ? 'end' : 'middle'}
        >
          {count(revision)}
        </text>
      ))}
    </g>
  );
};

const Limits = ({ series, scales }: { readonly series: OccupancySeries; readonly scales: Scales }) => {
  const lines = [
    { name: 'window', tokens: series.window },
    { name: 'trigger', tokens: series.thresholds?.trigger ?? 0 },
  ].filter(({ tokens }) => tokens > 0 && tokens <= scales.top);
  return (
    <g class="limits" aria-hidden="true">
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
  const row = useRef<SVGGElement>(null);
  const shown = marks.filter((mark) => kindOf(mark).sign !== '·');
  const stop = Math.max(
    0,
    shown.findIndex(({ revision }) => revision >= cursor),
  );
  const step = (by: number): void => {
    const next = shown[Math.min(shown.length - 1, Math.max(0, stop + by))];
    if (!next) return;
    onMove(next.revision);
    requestAnimationFrame(() => row.current?.querySelector<SVGGElement>('[tabindex="0"]')?.focus());
  };
  const onKeyDown = (event: KeyboardEvent, revision: number): void => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by !== undefined) step(by);
    else if (event.key === 'Enter' || event.key === ' ') onOpen(revision);
    else return;
    event.preventDefault();
  };
  return (
    <g ref={row}>
      {shown.map((mark, at) => {
        const { sign, tone } = kindOf(mark);
        return (
          <g
            key={`${mark.revision} ${mark.type}`}
            class={`mark mark-${tone}`}
            role="button"
            tabIndex={at === stop ? 0 : -1}
            aria-label={labelOf(mark)}
            transform={`translate(${scales.x(mark.revision)} 0)`}
            onMouseEnter={() => onMove(mark.revision)}
            onFocus={() => onMove(mark.revision)}
            onClick={() => onOpen(mark.revision)}
            onKeyDown={(event) => onKeyDown(event, mark.revision)}
          >
            <line y1={24} y2={HEIGHT - MARGIN.bottom} />
            <rect x={-9} y={3} width={18} height={20} rx={3} />
            <text y={18} text-anchor="middle">
              {sign}
            </text>
          </g>
        );
      })}
    </g>
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
