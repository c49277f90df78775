/** Returns the first item; `undefined` without any. The rest is not asked for. */
export const firstOf = async <Item>(items: AsyncIterable<Item>): Promise<Item | undefined> => {
  for await (const item of items) return item;
  return undefined;
};

/** Returns all items as a list. */
export const collected = async <Item>(items: AsyncIterable<Item>): Promise<Item[]> => {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
};
