import { RecordAuditRead } from '@app/application';
import { AppError, IsoTime, type LogPosition, parseJson, readLogPosition } from '@app/kernel';
import type { AuditPlace } from '@app/ports';
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { z } from 'zod';
import type { ApiCaller } from '../http/controller.js';

/** A read of the audit: its filters and the number of rows returned. */
type ReadMade = {
  /** Such as `GET /v1/audit`. */
  readonly endpoint: string;
  readonly given: Readonly<Record<string, unknown>>;
  readonly rows: number;
};

/** Records reads of the audit. Controllers record each read before they answer: a read that cannot be recorded fails. */
@Injectable()
export class AuditReads {
  constructor(@Inject(CommandBus) private readonly commands: CommandBus) {}

  record(
    { tenant, caller }: Pick<ApiCaller, 'tenant' | 'caller'>,
    { endpoint, given, rows }: ReadMade,
  ): Promise<void> {
    return this.commands.execute(new RecordAuditRead(tenant, { endpoint, filters: given, rows }, caller));
  }
}

const content = z.tuple([z.string(), z.string(), z.iso.datetime()]);

export const cursor = z.string().max(300).exactOptional().describe('`next` of the previous page, unchanged');
export const limit = z.coerce
  .number()
  .int()
  .min(1)
  .max(1_000)
  .default(100)
  .describe('Maximum number of rows');

/** Returns the cursor for the page after a place in a sort order. It needs no signature: queries are limited to the tenant. */
export const cursorOf = (sort: string, { position, recordedAt }: AuditPlace): string =>
  Buffer.from(JSON.stringify([sort, position.toString(), recordedAt])).toString('base64url');

/** @throws {AppError} `invalid-request` for a malformed cursor, or one of another sort order. */
export const placeIn = (text: string, sort: string): AuditPlace => {
  const parsed = content.safeParse(parseJson(Buffer.from(text, 'base64url').toString()));
  const position = parsed.success ? readLogPosition(parsed.data[1]) : undefined;
  if (!parsed.success || parsed.data[0] !== sort || position === undefined) {
    throw new AppError(
      'invalid-request',
      'cursor: it belongs to no page in this sort order; pass `next` of the previous page with the same sort',
    );
  }
  return { position, recordedAt: IsoTime(parsed.data[2]) };
};

/** Returns the page of a response, with positions as strings; `next` is `null` if the page is not full. */
export const pageOf = <Row extends { readonly position: LogPosition }>(
  rows: readonly Row[],
  limit: number,
  next: (last: Row) => string,
) => {
  const last = rows.at(-1);
  return {
    items: rows.map(({ position, ...row }) => ({ position: String(position), ...row })),
    next: last !== undefined && rows.length === limit ? next(last) : null,
  };
};
