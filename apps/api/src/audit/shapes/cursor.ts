import { AppError, IsoTime, readLogPosition } from '@app/kernel';
import type { AuditPlace } from '@app/ports';
import { z } from 'zod';

const content = z.tuple([z.string(), z.string(), z.iso.datetime()]);

export const cursor = z.string().max(300).optional().describe('`next` of the page before, as it came');
export const limit = z.coerce.number().int().min(1).max(1_000).default(100).describe('Rows of a page');

/** Where a page ended, in the order that it was asked for in. Whoever makes one up sees rows that they may see anyway. */
export const cursorOf = (sort: string, { position, recordedAt }: AuditPlace): string =>
  Buffer.from(JSON.stringify([sort, position.toString(), recordedAt])).toString('base64url');

/** @throws {AppError} `invalid-request` for what no page in this order has handed out. */
export const placeIn = (text: string, sort: string): AuditPlace => {
  const parsed = content.safeParse(jsonIn(Buffer.from(text, 'base64url').toString()));
  const position = parsed.success ? readLogPosition(parsed.data[1]) : undefined;
  if (!parsed.success || parsed.data[0] !== sort || position === undefined) {
    throw new AppError('invalid-request', 'cursor: take `next` of the page before, and the same sort');
  }
  return { position, recordedAt: IsoTime(parsed.data[2]) };
};

const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** A page as it is answered; a full one may have others behind it. */
export const pageOf = <Row>(rows: readonly Row[], limit: number, next: (last: Row) => string) => {
  const last = rows.at(-1);
  return { items: rows, next: last !== undefined && rows.length === limit ? next(last) : null };
};
