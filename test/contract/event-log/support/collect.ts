/** Returns all items of an iterable, or its first `count`. */
export const collect = async <Item>(
  items: AsyncIterable<Item>,
  count = Number.POSITIVE_INFINITY,
): Promise<Item[]> => {
  const all: Item[] = [];
  for await (const item of items) if (all.push(item) >= count) break;
  return all;
};
