/** Returns a list with more items at its end; the list that is given stays as it is, for everybody who can see it. */
export type Grow = <Item>(list: readonly Item[], more: readonly Item[]) => readonly Item[];

/** Makes a new list: what a single event needs, in time that is linear in the list. */
export const copied: Grow = (list, more) => (more.length === 0 ? list : [...list, ...more]);

/**
 * Returns a way to grow lists for one fold over many events: a list is copied once, and grows in place from then on. Nobody
 * sees the states between, so that they may share the lists. A copy for each event would take a time that is quadratic in
 * the events.
 */
export const growing = (): Grow => {
  const own = new Map<readonly unknown[], unknown[]>();
  return (list, more) => {
    if (more.length === 0) return list;
    const mine = own.get(list);
    if (mine) {
      for (const item of more) mine.push(item);
      return list;
    }
    const copy = [...list, ...more];
    own.set(copy, copy);
    return copy;
  };
};
