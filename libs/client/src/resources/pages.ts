/** A page of a list; `next` is the cursor of the one that follows, `null` on the last. */
export type Page<Item> = { readonly items: readonly Item[]; readonly next: string | null };

/** All items of a list, page by page as they are wanted. */
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
