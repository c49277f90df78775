/**
 * Returns a list with more items behind the first `kept` of it, by default behind all; the list that is given stays as it is,
 * for everybody who can see it.
 */
export type Grow = <Item>(list: readonly Item[], more: readonly Item[], kept?: number) => readonly Item[];

/** Makes a new list: what a single event needs, in time that is linear in the list. */
export const copied: Grow = (list, more, kept = list.length) => {
  if (more.length === 0 && kept === list.length) return list;
  return inFamilyOf(list, kept === list.length ? list.concat(more) : [...list.slice(0, kept), ...more]);
};

const FAMILIES = new WeakMap<readonly unknown[], object>();

/**
 * Returns what stands for all lists that have grown from the same one. Two lists of a family that hold the same item at a
 * place hold the same items before it: what was worked out of one can be brought up to date with another.
 */
export const familyOf = (list: readonly unknown[]): object => {
  const family = FAMILIES.get(list) ?? {};
  FAMILIES.set(list, family);
  return family;
};

const inFamilyOf = <Item>(list: readonly Item[], grown: Item[]): Item[] => {
  const family = list.length > 0 ? FAMILIES.get(list) : undefined; // An empty list may be that of other sessions too.
  if (family) FAMILIES.set(grown, family);
  return grown;
};

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
    const copy = inFamilyOf(list, [...list.slice(0, kept), ...more]);
    own.set(copy, copy);
    return copy;
  };
};
