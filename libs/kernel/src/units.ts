import type { Brand } from './brand.js';
import { invariant } from './invariant.js';

/** A count of model tokens, as the token counter of the session's model counts them. */
export type Tokens = Brand<number, 'Tokens'>;
/** Creates {@link Tokens}, the checked type of token counts. */
export const Tokens = (count: number): Tokens => {
  invariant(Number.isSafeInteger(count) && count >= 0, `tokens must be a whole number from 0, got ${count}`);
  return count as Tokens;
};
export const sumTokens = (counts: Iterable<number>): Tokens => {
  let sum = 0;
  for (const count of counts) sum += count;
  return Tokens(sum);
};

/** Billionths of a US dollar: whole, so that sums of them are exact. A million tokens at a dollar are 1,000 each. */
export type NanoUsd = Brand<number, 'NanoUsd'>;
export const NanoUsd = (amount: number): NanoUsd => {
  invariant(Number.isSafeInteger(amount) && amount >= 0, `an amount is a whole number from 0, got ${amount}`);
  return amount as NanoUsd;
};

/** The position of an event in its stream: dense, from 0. A number, since no session exceeds 2^53 events. */
export type Revision = Brand<number, 'Revision'>;
export const Revision = (value: number): Revision => {
  invariant(Number.isSafeInteger(value) && value >= 0, `a revision starts at 0, got ${value}`);
  return value as Revision;
};

/** The position of an event in the log: increasing, with gaps. Not an index, and not a count. */
export type LogPosition = Brand<bigint, 'LogPosition'>;
export const LogPosition = (value: bigint): LogPosition => {
  invariant(value >= 0n, `a log position starts at 0, got ${value}`);
  return value as LogPosition;
};

/** Parses a log position from a caller; `undefined` for any other text, and beyond the range of PostgreSQL. */
export const readLogPosition = (text: string): LogPosition | undefined => {
  const position = /^\d{1,19}$/.test(text) ? BigInt(text) : undefined;
  return position === undefined || position >= 2n ** 63n - 1n ? undefined : LogPosition(position);
};

/** An instant in UTC with milliseconds, as `Date.prototype.toISOString` writes it. */
export type IsoTime = Brand<string, 'IsoTime'>;
export const IsoTime = (value: Date | string): IsoTime => {
  const date = typeof value === 'string' ? new Date(value) : value;
  invariant(!Number.isNaN(date.getTime()), 'not a point in time');
  return date.toISOString() as IsoTime;
};

/**
 * Parses a time of ISO 8601 with its offset, or a day, which is its midnight in UTC. `undefined` for any other text:
 * `Date` reads `2` as a day in 2001, 30 February as 2 March, and a time without an offset in the zone of the machine.
 */
export const readTime = (text: string): IsoTime | undefined => {
  const [, day] =
    /^(\d{4}-\d\d-\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/.exec(text) ?? [];
  if (day === undefined || !isTime(text) || !isTime(day)) return undefined;
  return IsoTime(day).startsWith(day) ? IsoTime(text) : undefined;
};
const isTime = (text: string): boolean => !Number.isNaN(Date.parse(text));
