import { invariant, LogPosition } from '@app/kernel';
import type { Page, PageRequest } from '@app/ports';

export const ROWS_MAX = 1_000;

/** Returns one page of rows ordered by log position, newest first; one more row is read to detect a next page. */
export const pageOf = async <Row, Item>(
  { limit }: PageRequest,
  read: (limit: number) => Promise<readonly Row[]>,
  positionOf: (row: Row) => bigint,
  itemOf: (row: Row) => Item,
): Promise<Page<Item>> => {
  invariant(Number.isSafeInteger(limit) && limit > 0, `a page has a row at least, not ${limit}`);
  const size = Math.min(limit, ROWS_MAX);
  const rows = await read(size + 1);
  const shown = rows.slice(0, size);
  const last = shown.at(-1);
  return {
    items: shown.map(itemOf),
    next: rows.length > size && last ? LogPosition(positionOf(last)) : null,
  };
};
