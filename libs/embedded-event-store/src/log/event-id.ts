import { AppError, type Brand } from '@app/kernel';

/** The id of an event: a GUID in dashed, lower-case form. */
export type EventId = Brand<string, 'EventId'>;

/**
 * Parses a GUID with or without dashes, in braces or parentheses, in any case.
 * @throws {AppError} `invalid-id` for any other text.
 */
export const EventId = (value: string): EventId => {
  if (DASHED.test(value)) return value as EventId;
  const digits = /^[{(]?([0-9a-fA-F-]{32,36})[)}]?$/.exec(value.trim())?.[1]?.replaceAll('-', '');
  if (digits?.length !== 32) throw new AppError('invalid-id', 'an event id must be a GUID of 32 hex digits');
  return fromDigits(digits.toLowerCase());
};

/** Returns a GUID from two signed 64-bit halves, the protocol's `structured` form. */
export const eventIdOfHalves = (most: bigint, least: bigint): EventId =>
  fromDigits(`${halfDigits(most)}${halfDigits(least)}`);

/** Returns the two signed 64-bit halves of an id. */
export const halvesOf = (id: EventId): { most: bigint; least: bigint } => {
  const digits = id.replaceAll('-', '');
  const half = (start: number) => BigInt.asIntN(64, BigInt(`0x${digits.slice(start, start + 16)}`));
  return { most: half(0), least: half(16) };
};

const DASHED = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const halfDigits = (half: bigint): string => BigInt.asUintN(64, half).toString(16).padStart(16, '0');
const fromDigits = (digits: string): EventId =>
  digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') as EventId;
