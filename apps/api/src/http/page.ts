import { AppError, type LogPosition, readLogPosition } from '@app/kernel';
import type { Page, PageRequest } from '@app/ports';
import { z } from 'zod';

/** Query parameters of lists. */
export const pageQuery = {
  limit: z.coerce.number().int().min(1).max(1_000).default(100).describe('Maximum number of items'),
  cursor: z
    .string()
    .max(64)
    .exactOptional()
    .describe('`next` of the previous page; absent for the first page'),
};

/** Returns the schema of a page of items. */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({
    items: z.array(item),
    next: z.string().nullable().describe('Cursor of the next page; `null` on the last one'),
  });

/** @throws {AppError} `invalid-request` for a malformed cursor. */
export const pageRequest = ({ limit, cursor }: { limit: number; cursor?: string }): PageRequest => ({
  limit,
  ...(cursor !== undefined && { before: positionIn(cursor) }),
});

export const shownPage = <Item>({ items, next }: Page<Item>) => ({
  items,
  next: next === null ? null : cursorOf(next),
});

/** Encodes a log position as an opaque cursor. */
const cursorOf = (position: LogPosition): string => Buffer.from(`p${position}`).toString('base64url');

const positionIn = (cursor: string): LogPosition => {
  const text = Buffer.from(cursor, 'base64url').toString('latin1');
  const position = text.startsWith('p') ? readLogPosition(text.slice(1)) : undefined;
  if (position !== undefined) return position;
  throw new AppError(
    'invalid-request',
    'the cursor is malformed: pass `next` of the previous page unchanged',
  );
};
