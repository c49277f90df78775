import { invariant, LogPosition } from '@app/kernel';
import type { Page, PageRequest } from '@app/ports';

export const ROWS_MAX = 1_000;

/** One page of rows that are ordered by a place in the log, newest first; one row more tells whether another follows. */
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
