import type { OccupancyPoint, OccupancySeries } from '@app/client';

/** Pixels around the plot. */
export const MARGIN = { left: 52, right: 12, top: 34, bottom: 26 } as const;
export const HEIGHT = 300;

export type Scales = {
  readonly width: number;
  readonly x: (revision: number) => number;
  readonly y: (tokens: number) => number;
  /** The revision at a horizontal place. */
  readonly revisionAt: (x: number) => number;
  readonly top: number;
};

/** Scales of a series for a drawing of `width` pixels. */
export const scalesOf = (
  { from, to, points, thresholds, window }: OccupancySeries,
  width: number,
): Scales => {
  const highest = Math.max(1, ...points.map(({ max }) => max));
  // The window is in view once the session has come near it.
  const limits = [thresholds?.trigger ?? 0, window].filter((limit) => limit <= highest * 1.6);
  const top = Math.max(highest, ...limits) * 1.06;
  const inner = Math.max(1, width - MARGIN.left - MARGIN.right);
  const span = to - from + 1; // The newest revision has a width, too.
  const low = HEIGHT - MARGIN.bottom;
  return {
    width,
    top,
    x: (revision) => MARGIN.left + ((revision - from) / span) * inner,
    y: (tokens) => low - (tokens / top) * (low - MARGIN.top),
    revisionAt: (x) => Math.min(to, Math.max(from, Math.floor(from + ((x - MARGIN.left) / inner) * span))),
  };
};

/** Returns round values from 0 to `top`, about four. */
export const ticksTo = (top: number): readonly number[] => {
  const rough = top / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((one) => one >= rough) ?? rough;
  return Array.from({ length: Math.floor(top / step) + 1 }, (_, at) => at * step);
};

/** Returns the point in force at a revision: the last one up to it, or the first. */
export const pointAt = (points: readonly OccupancyPoint[], revision: number): OccupancyPoint | undefined => {
  let [low, high] = [0, points.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((points[middle]?.revision ?? 0) <= revision) low = middle;
    else high = middle - 1;
  }
  return points[low];
};

export const PARTS = ['system', 'pinned', 'summary', 'tail'] as const;
export type Part = (typeof PARTS)[number];

/** Returns the outline of a part, stacked on those before it; each point holds until the next. */
export const areaOf = (
  points: readonly OccupancyPoint[],
  part: Part,
  { x, y }: Scales,
  to: number,
): string => {
  const below = PARTS.slice(0, PARTS.indexOf(part));
  const baseOf = (point: OccupancyPoint): number => below.reduce((sum, one) => sum + point[one], 0);
  const upper: string[] = [];
  const lower: string[] = [];
  for (const [at, point] of points.entries()) {
    const [begin, end] = [x(point.revision), x(points[at + 1]?.revision ?? to)];
    const [base, top] = [y(baseOf(point)), y(baseOf(point) + point[part])];
    upper.push(`${round(begin)} ${round(top)}`, `${round(end)} ${round(top)}`);
    lower.push(`${round(begin)} ${round(base)}`, `${round(end)} ${round(base)}`);
  }
  return `M${upper.join('L')}L${lower.reverse().join('L')}Z`;
};

/** Returns the line of the largest occupancy, which shows peaks that fall within a bin. */
export const lineOf = (points: readonly OccupancyPoint[], { x, y }: Scales, to: number): string =>
  `M${points
    .flatMap((point, at) => {
      const [begin, end] = [x(point.revision), x(points[at + 1]?.revision ?? to)];
      const peak = point.max > point.occupancy ? [`${round(begin)} ${round(y(point.max))}`] : [];
      return [
        ...peak,
        `${round(begin)} ${round(y(point.occupancy))}`,
        `${round(end)} ${round(y(point.occupancy))}`,
      ];
    })
    .join('L')}`;

const round = (value: number): number => Math.round(value * 10) / 10;
