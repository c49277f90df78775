import type { OccupancyPoint, OccupancySeries } from '@app/client';

/** Pixels around the plot. */
export const MARGIN = { left: 52, right: 12, top: 34, bottom: 26 } as const;
export const HEIGHT = 300;

/** An event with its place on the axis. */
type Placed = { readonly revision: number; readonly at?: string; readonly activeMs?: number };

export type Scales = {
  readonly width: number;
  readonly x: (event: Placed) => number;
  readonly y: (tokens: number) => number;
  /** The revision at a horizontal place. */
  readonly revisionAt: (x: number) => number;
  readonly top: number;
};

/** Scales of a series for a drawing of `width` pixels; the newest revision has a width, too. */
export const scalesOf = (series: OccupancySeries, width: number): Scales => {
  const { from, to, points, thresholds, window, activity } = series;
  const highest = Math.max(1, ...points.map(({ max }) => max));
  // The window is in view once the session has come near it.
  const limits = [thresholds?.trigger ?? 0, window].filter((limit) => limit <= highest * 1.6);
  const top = Math.max(highest, ...limits) * 1.06;
  const inner = Math.max(1, width - MARGIN.left - MARGIN.right);
  const low = HEIGHT - MARGIN.bottom;
  const span = activity ? activity.activeMs * 1.01 + 1 : to - from + 1;
  const shareOf = (event: Placed): number =>
    (activity ? activeAt(points, event) : event.revision - from) / span;
  const revisionAt = (share: number): number =>
    activity ? (activePoint(points, share * span)?.revision ?? from) : Math.floor(from + share * span);
  return {
    width,
    top,
    x: (event) => MARGIN.left + shareOf(event) * inner,
    y: (tokens) => low - (tokens / top) * (low - MARGIN.top),
    revisionAt: (x) => Math.min(to, Math.max(from, revisionAt((x - MARGIN.left) / inner))),
  };
};

/** Returns the active time at an event: of its bin, or between two bins by its own time. */
const activeAt = (points: readonly OccupancyPoint[], { revision, at, activeMs }: Placed): number => {
  if (activeMs !== undefined) return activeMs;
  const index = lastIndex(points, (point) => point.revision <= revision);
  const [before, next] = [points[index], points[index + 1]];
  const start = before?.activeMs ?? 0;
  if (!before || at === undefined) return start;
  return Math.min(next?.activeMs ?? start, start + Math.max(0, Date.parse(at) - Date.parse(before.at)));
};

const activePoint = (points: readonly OccupancyPoint[], activeMs: number): OccupancyPoint | undefined =>
  points[
    Math.max(
      0,
      lastIndex(points, (point) => (point.activeMs ?? 0) <= activeMs),
    )
  ];

/** Returns round whole numbers within a range, about as far apart as `steps` of them would be. */
export const ticksIn = (from: number, to: number, steps: number): readonly number[] => {
  const rough = Math.max(1, (to - from) / steps);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= rough) ?? rough;
  const first = Math.ceil(from / step);
  return Array.from({ length: Math.floor(to / step) - first + 1 }, (_, at) => (first + at) * step);
};

/** Returns the point in force at a revision: the last one up to it, or the first. */
export const pointAt = (points: readonly OccupancyPoint[], revision: number): OccupancyPoint | undefined =>
  points[
    Math.max(
      0,
      lastIndex(points, (point) => point.revision <= revision),
    )
  ];

/** Returns the index of the last point of which `is` holds, which it does up to there; −1 for none. */
const lastIndex = (points: readonly OccupancyPoint[], is: (point: OccupancyPoint) => boolean): number => {
  let [low, high] = [-1, points.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    const point = points[middle];
    if (point && is(point)) low = middle;
    else high = middle - 1;
  }
  return low;
};

export const PARTS = ['system', 'pinned', 'summary', 'tail'] as const;
export type Part = (typeof PARTS)[number];

/** Returns the outline of a part, stacked on those before it; each point holds until the next. */
export const areaOf = (points: readonly OccupancyPoint[], part: Part, { x, y, width }: Scales): string => {
  const below = PARTS.slice(0, PARTS.indexOf(part));
  const baseOf = (point: OccupancyPoint): number => below.reduce((sum, one) => sum + point[one], 0);
  const upper: string[] = [];
  const lower: string[] = [];
  for (const [at, point] of points.entries()) {
    const [begin, end] = [x(point), endOf(points[at + 1], x, width)];
    const [base, top] = [y(baseOf(point)), y(baseOf(point) + point[part])];
    upper.push(`${round(begin)} ${round(top)}`, `${round(end)} ${round(top)}`);
    lower.push(`${round(begin)} ${round(base)}`, `${round(end)} ${round(base)}`);
  }
  return `M${upper.join('L')}L${lower.reverse().join('L')}Z`;
};

/** Returns the line of the largest occupancy, which shows peaks that fall within a bin. */
export const lineOf = (points: readonly OccupancyPoint[], { x, y, width }: Scales): string =>
  `M${points
    .flatMap((point, at) => {
      const [begin, end] = [x(point), endOf(points[at + 1], x, width)];
      const peak = point.max > point.occupancy ? [`${round(begin)} ${round(y(point.max))}`] : [];
      return [
        ...peak,
        `${round(begin)} ${round(y(point.occupancy))}`,
        `${round(end)} ${round(y(point.occupancy))}`,
      ];
    })
    .join('L')}`;

/** A point holds until the next, the last one to the end. */
const endOf = (next: OccupancyPoint | undefined, x: Scales['x'], width: number): number =>
  next ? x(next) : width - MARGIN.right;

const round = (value: number): number => Math.round(value * 10) / 10;
