import { isPivotEvent, type Placed, pivotFactsOf, type Tail, withoutReverted } from '@app/domain';

/**
 * Returns the arguments of `rebuild` as a reader of the log passes them: the newest pivot in force, the events from its cut on, and
 * later ones.
 */
export const tailOf = (whole: readonly Placed[]): Tail => {
  const stream = withoutReverted(whole);
  const at = stream.findLastIndex(({ event }) => isPivotEvent(event));
  const newest = stream[at];
  if (!newest || !isPivotEvent(newest.event)) return { pivot: undefined, after: stream };
  const { event, revision } = newest;
  const cut = pivotFactsOf(event).cut?.revision ?? revision;
  const before = stream.slice(0, at).filter((placed) => placed.revision >= cut);
  return { pivot: { event, revision, before }, after: stream.slice(at + 1) };
};
