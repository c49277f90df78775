import type { OccupancyPoint, OccupancySeries } from '@app/contract';
import { occupancy } from '@app/domain';
import { AppError, invariant, Revision } from '@app/kernel';
import type { Activity, OccupancyBin, ReadModels } from '@app/ports';
import { QueryOnSession } from '../../command-and-query.js';
import { Handler, HandlesQuery } from '../../handlers.js';
import { requireOpen, type SessionRef } from '../../sessions/session-ref.js';
import { thresholdsOf } from '../thresholds.js';
import { COMPOSITION_TYPES, type Composition, compositionsOf } from './composition.js';
import { isMark, MARK_TYPES, markOf } from './marks.js';

/** Marks of one answer; the others are counted. */
const MARKS_MAX = 2_000;

/** Reads the occupancy of a session over a range of revisions, reduced to a number of bins. Records nothing. */
export class ReadOccupancy extends QueryOnSession<
  OccupancySeries,
  {
    readonly from?: Revision;
    readonly to?: Revision;
    readonly bins: number;
    /** Bins of active time in place of revisions: longer pauses count nothing. */
    readonly idleAfterMs?: number;
  }
> {}

@HandlesQuery(ReadOccupancy)
export class ReadOccupancyHandler extends Handler<
  ReadOccupancy,
  'sessions',
  { readonly readModels: Pick<ReadModels, 'occupancy' | 'activity' | 'milestones'> }
> {
  /** @throws {AppError} `session-not-found`, `revision-not-found`, `invalid-request`. */
  async execute({ ref, input: range }: ReadOccupancy): Promise<OccupancySeries> {
    const { state, revision } = await this.parts.sessions.load(ref);
    const session = requireOpen(ref, state);
    invariant(revision !== undefined, 'an open session has a revision');
    const [from, to] = rangeIn(ref, revision, range);
    const [{ bins, ...scale }, milestones] = await Promise.all([
      this.binsOf({ ...ref, from, to }, range),
      this.parts.readModels.milestones({ ...ref, types: TYPES }),
    ]);
    const marks = milestones.filter((one) => isMark(one) && one.revision >= from && one.revision <= to);
    return {
      session: ref.session,
      revision,
      from,
      to,
      ...scale,
      occupancy: occupancy(session),
      window: session.limits.window,
      thresholds: thresholdsOf(session.limits, session.profile),
      points: pointsOf(bins, compositionsOf(milestones)),
      marks: marks.slice(-MARKS_MAX).map(markOf),
      omittedMarks: Math.max(0, marks.length - MARKS_MAX),
    };
  }

  private async binsOf(
    session: SessionRef & { readonly from: Revision; readonly to: Revision },
    { bins, idleAfterMs }: ReadOccupancy['input'],
  ): Promise<
    Pick<OccupancySeries, 'width' | 'activity'> & { readonly bins: readonly (OccupancyBin | ActiveBin)[] }
  > {
    if (idleAfterMs === undefined) {
      const width = Math.max(1, Math.ceil((session.to - session.from + 1) / bins));
      return { bins: await this.parts.readModels.occupancy({ ...session, width }), width };
    }
    const request = { ...session, bins, idleAfterMs };
    const { bins: found, ...activity } = await this.parts.readModels.activity(request);
    return { bins: found, width: activity.activeMs / bins, activity };
  }
}

type ActiveBin = Activity['bins'][number];

const TYPES = [...new Set([...COMPOSITION_TYPES, ...MARK_TYPES])];

const rangeIn = (
  { session }: SessionRef,
  newest: Revision,
  { from = Revision(0), to = newest }: ReadOccupancy['input'],
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
  bins: readonly (OccupancyBin | ActiveBin)[],
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

/** Converts counted parts into billed ones; none exceeds the remainder after the parts before it. */
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
