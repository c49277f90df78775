/** An item, and the waiting caller. */
type Waiting<Item, Result> = {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
};
export type Grouping<Item, Result> = {
  /** Items of one group have different keys. */
  readonly keyOf: (item: Item) => string;
  /** Results in the order of the items. */
  readonly carryOut: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** Whether a failure is that of all, and not of one among them. */
  readonly isOutage: (error: unknown) => boolean;
};

const GROUP_MAX = 64;

/**
 * Executes items in groups: items that arrive during a group form the next one. The first item does not wait, and
 * concurrent items cost one statement and one disk sync. If a group fails because of one item, its items are executed
 * one by one.
 */
export const inGroups = <Item, Result>({
  keyOf,
  carryOut,
  isOutage,
}: Grouping<Item, Result>): ((item: Item) => Promise<Result>) => {
  let waiting: Waiting<Item, Result>[] = [];
  let isUnderWay = false;

  const nextGroup = (): readonly Waiting<Item, Result>[] => {
    const group = new Map<string, Waiting<Item, Result>>();
    const later: Waiting<Item, Result>[] = [];
    for (const one of waiting) {
      const key = keyOf(one.item);
      if (group.size < GROUP_MAX && !group.has(key)) group.set(key, one);
      else later.push(one);
    }
    waiting = later;
    return [...group.values()];
  };

  const settle = async (group: readonly Waiting<Item, Result>[]): Promise<void> => {
    try {
      const results = await carryOut(group.map(({ item }) => item));
      results.forEach((result, at) => {
        group[at]?.resolve(result);
      });
    } catch (error) {
      if (group.length > 1 && !isOutage(error)) for (const one of group) await settle([one]);
      else for (const { reject } of group) reject(error);
    }
  };

  const run = async (): Promise<void> => {
    isUnderWay = true;
    while (waiting.length > 0) await settle(nextGroup());
    isUnderWay = false;
  };

  return (item) =>
    new Promise<Result>((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!isUnderWay) void run();
    });
};
