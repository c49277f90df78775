import { Attached } from '@app/kernel';

/**
 * Returns a list with `more` after its first `kept` items, by default after all. The given list is unchanged for all
 * its readers.
 */
export type ListGrowth = <Item>(
  list: readonly Item[],
  more: readonly Item[],
  kept?: number,
) => readonly Item[];

/** Copies the list, in linear time: for single events. */
export const growByCopy: ListGrowth = (list, more, kept = list.length) => {
  if (more.length === 0 && kept === list.length) return list;
  return inFamilyOf(list, joined(list, more, kept));
};

const joined = <Item>(list: readonly Item[], more: readonly Item[], kept: number): Item[] =>
  kept === list.length ? list.concat(more) : [...list.slice(0, kept), ...more];

const FAMILIES = new Attached<readonly unknown[], object>();

/**
 * Returns the identity of all lists grown from the same one. Two lists of a family that have the same item at an
 * index have the same items before it, so that derived data of one can be updated for the other.
 */
export const familyOf = (list: readonly unknown[]): object => FAMILIES.once(list, () => ({}));

const inFamilyOf = <Item>(list: readonly Item[], grown: Item[]): Item[] => {
  const family = list.length > 0 ? FAMILIES.get(list) : undefined; // An empty list may be that of other sessions too.
  if (family) FAMILIES.set(grown, family);
  return grown;
};

/**
 * Returns a `Grow` for a fold over many events: it copies a list once and then appends in place. Intermediate states
 * are not observable and may share the lists. A copy per event would take quadratic time.
 */
export const growInPlace = (): ListGrowth => {
  const own = new Map<readonly unknown[], unknown[]>();
  return (list, more, kept = list.length) => {
    if (more.length === 0 && kept === list.length) return list;
    const mine = own.get(list);
    if (mine) {
      mine.length = kept;
      for (const item of more) mine.push(item);
      return list;
    }
    const copy = inFamilyOf(list, joined(list, more, kept));
    own.set(copy, copy);
    return copy;
  };
};

/**
 * Returns a function that maps lists item by item. Items that a list has in common with the last one that began with the same item
 * are not read again: in a long session, most of them are no longer in the processor's cache.
 */
export const mapGrown = <Item extends object, Result>(
  resultOf: (item: Item) => Result,
): ((list: readonly Item[]) => readonly Result[]) => {
  const last = new WeakMap<Item, { readonly items: readonly Item[]; readonly results: readonly Result[] }>();
  return (list) => {
    const [first] = list;
    const known = first && last.get(first);
    if (!first || !known) {
      const results = list.map(resultOf);
      if (first) last.set(first, { items: [...list], results }); // A list may grow in place.
      return results;
    }
    const { items } = known;
    let same = 1;
    while (same < list.length && same < items.length && list[same] === items[same]) same += 1;
    if (same === list.length && same === items.length) return known.results;
    const results = [...known.results.slice(0, same), ...list.slice(same).map(resultOf)];
    last.set(first, { items: [...list], results });
    return results;
  };
};
