/** A page of a list and the cursor of the next one; `null` on the last page. */
export type Part<Item, Place> = { readonly items: readonly Item[]; readonly next: Place | null };

/** Maximum page size of the read models. */
const PAGE = 1_000;

/** Iterates over all items of a list and requests pages on demand. */
export async function* allItems<Item, Place>(
  pageAt: (limit: number, after: Place | undefined) => Promise<Part<Item, Place>>,
): AsyncGenerator<Item, void, undefined> {
  for (let after: Place | undefined; ; ) {
    const { items, next } = await pageAt(PAGE, after);
    yield* items;
    if (next === null) return;
    after = next;
  }
}

/** Returns the first `count` items, or all if absent, and whether more follow. */
export const firstOf = async <Item>(
  items: AsyncIterable<Item>,
  count: number | undefined,
): Promise<{ readonly items: readonly Item[]; readonly isCut: boolean }> => {
  const found: Item[] = [];
  for await (const item of items) {
    if (found.length === count) return { items: found, isCut: true };
    found.push(item);
  }
  return { items: found, isCut: false };
};
