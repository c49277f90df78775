/**
 * Returns a list with more items behind the first `kept` of it, by default behind all; the list that is given stays as it is,
 * for everybody who can see it.
 */
export type Grow = <Item>(list: readonly Item[], more: readonly Item[], kept?: number) => readonly Item[];

/** Makes a new list: what a single event needs, in time that is linear in the list. */
export const copied: Grow = (list, more, kept = list.length) =>
  more.length === 0 && kept === list.length ? list : [...list.slice(0, kept), ...more];

/**
 * Returns a way to grow lists for one fold over many events: a list is copied once, and grows in place from then on. Nobody
 * sees the states between, so that they may share the lists. A copy for each event would take a time that is quadratic in
 * the events.
 */
export const growing = (): Grow => {
  const own = new Map<readonly unknown[], unknown[]>();
  return (list, more, kept = list.length) => {
    if (more.length === 0 && kept === list.length) return list;
    const mine = own.get(list);
    if (mine) {
      mine.length = kept;
      for (const item of more) mine.push(item);
      return list;
    }
    const copy = [...list.slice(0, kept), ...more];
    own.set(copy, copy);
    return copy;
  };
};
