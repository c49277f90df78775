/** A part of a list, and where the next one begins; `null` on the last one. */
export type Part<Item, Place> = { readonly items: readonly Item[]; readonly next: Place | null };

/** The largest page that the read models hand out. */
const PAGE = 1_000;

/** All items of a list, page by page as they are wanted. */
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

/** The first `count` of them, all where that is not given; and whether it stopped because of the count. */
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
