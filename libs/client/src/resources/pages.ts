/** A page of a list; `next` is the cursor of the next page, `null` on the last one. */
export type Page<Item> = { readonly items: readonly Item[]; readonly next: string | null };

/** Iterates over all items of a list; pages are requested as needed. */
export async function* itemsOf<Item>(
  pageAt: (cursor: string | undefined) => Promise<Page<Item>>,
): AsyncGenerator<Item, void, undefined> {
  for (let cursor: string | undefined; ; ) {
    const { items, next } = await pageAt(cursor);
    yield* items;
    if (next === null) return;
    cursor = next;
  }
}
