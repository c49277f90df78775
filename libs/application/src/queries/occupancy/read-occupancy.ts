import type { OccupancyPoint, OccupancySeries } from '@app/contract';
import { occupancy } from '@app/domain';
import { AppError, invariant, Revision } from '@app/kernel';
import type { OccupancyBin, ReadModels } from '@app/ports';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { requireOpen } from '../../sessions/require-open.js';
import type { SessionRef } from '../../sessions/session-ref.js';
import type { SessionStore } from '../../sessions/session-store.js';
import { thresholdsOf } from '../thresholds.js';
import { COMPOSITION_TYPES, type Composition, compositionsOf } from './composition.js';
import { isMark, MARK_TYPES, markOf } from './marks.js';

/** Marks of one answer; the others are counted. */
const MARKS_MAX = 2_000;

/** Reads the occupancy of a session over a range of revisions, reduced to a number of bins. Records nothing. */
export class ReadOccupancy extends Query<OccupancySeries> {
  constructor(
    readonly ref: SessionRef,
    readonly range: { readonly from?: Revision; readonly to?: Revision; readonly bins: number },
  ) {
    super();
  }
}

@QueryHandler(ReadOccupancy)
export class ReadOccupancyHandler implements IQueryHandler<ReadOccupancy> {
  constructor(
    private readonly sessions: SessionStore,
    private readonly rows: Pick<ReadModels, 'occupancy' | 'milestones'>,
  ) {}

  /** @throws {AppError} `session-not-found`, `revision-not-found`, `invalid-request`. */
  async execute({ ref, range }: ReadOccupancy): Promise<OccupancySeries> {
    const { state, revision } = await this.sessions.load(ref);
    const session = requireOpen(ref, state);
    invariant(revision !== undefined, 'an open session has a revision');
    const [from, to] = rangeIn(ref, revision, range);
    const width = Math.max(1, Math.ceil((to - from + 1) / range.bins));
    const [bins, milestones] = await Promise.all([
      this.rows.occupancy({ ...ref, from, to, width }),
      this.rows.milestones({ ...ref, types: TYPES }),
    ]);
    const marks = milestones.filter((one) => isMark(one) && one.revision >= from && one.revision <= to);
    return {
      session: ref.session,
      revision,
      from,
      to,
      width,
      occupancy: occupancy(session),
      window: session.limits.window,
      thresholds: thresholdsOf(session.limits, session.profile),
      points: pointsOf(bins, compositionsOf(milestones)),
      marks: marks.slice(-MARKS_MAX).map(markOf),
      omittedMarks: Math.max(0, marks.length - MARKS_MAX),
    };
  }
}

const TYPES = [...new Set([...COMPOSITION_TYPES, ...MARK_TYPES])];

const rangeIn = (
  { session }: SessionRef,
  newest: Revision,
  { from = Revision(0), to = newest }: ReadOccupancy['range'],
): readonly [from: Revision, to: Revision] => {
  if (from > newest) {
    const message = `session "${session}" has no revision ${from}: give one up to its newest, ${newest}`;
    throw new AppError('revision-not-found', message);
  }
  if (from > to)
    throw new AppError('invalid-request', `the range ends before it begins: give \`to\` from ${from} on`);
  return [from, to < newest ? to : newest];
};

const pointsOf = (
  bins: readonly OccupancyBin[],
  compositions: readonly Composition[],
): readonly OccupancyPoint[] => {
  let next = 0;
  let composition: Composition | undefined;
  return bins.map((bin) => {
    for (let one = compositions[next]; one && one.revision <= bin.revision; one = compositions[next]) {
      composition = one;
      next += 1;
    }
    return { ...bin, ...partsOf(bin.occupancy, composition) };
  });
};

type Parts = Pick<OccupancyPoint, 'system' | 'pinned' | 'summary' | 'tail' | 'window'>;

/** Converts counted parts into billed ones; none exceeds what the parts before it leave. */
const partsOf = (billed: number, composition: Composition | undefined): Parts => {
  const { system = 0, pinned = 0, summary = 0, billedPerCounted = 1, window = 0 } = composition ?? {};
  let left = billed;
  const take = (counted: number): number => {
    const part = Math.min(left, Math.round(counted * billedPerCounted));
    left -= part;
    return part;
  };
  const parts = { system: take(system), pinned: take(pinned), summary: take(summary) };
  return { ...parts, tail: left, window };
};
