/** The first so many. */
export const taken = async <Item>(items: AsyncIterable<Item>, count: number): Promise<readonly Item[]> => {
  const found: Item[] = [];
  for await (const item of items) {
    found.push(item);
    if (found.length === count) break;
  }
  return found;
};
