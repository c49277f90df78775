import { baseOf, type Kind } from './kinds.js';
import { storableJsonText, storableText } from './storable.js';

/**
 * Returns a column's values as an array in PostgreSQL's binary format, which neither side escapes or parses; `undefined` if a
 * value has no plain form there: PostgreSQL then reads all of them as text. `undefined` among the values is NULL.
 * Source: `array_recv` of PostgreSQL, and the `recv` functions of the elements' types.
 */
export const binaryArray = (kind: Kind | 'json', values: readonly unknown[]): Buffer | undefined => {
  const element = ELEMENTS[baseOf(kind)];
  if (!element) return undefined;
  const out = new Elements(element.oid, values.length);
  const isNull = kind === 'json' ? isUndefined : isNullish;
  let last: unknown;
  for (const value of values) {
    if (isNull(value)) out.null();
    // Rows of a batch repeat tenants, sessions, actors and times.
    else if (value === last) out.repeat();
    else if (!element.write(out, value)) return undefined;
    else last = value;
  }
  return out.finished();
};

const isUndefined = (value: unknown): boolean => value === undefined;
const isNullish = (value: unknown): boolean => value === null || value === undefined;

const HEADER_BYTES = 20;
const SCRATCH_BYTES = 65_536;
/** The largest buffer that is kept for the next array. */
const SCRATCH_MAX = 4_194_304;
/** Arrays are written into one buffer, one after the other, and then copied. */
let scratch = Buffer.allocUnsafeSlow(SCRATCH_BYTES);

/** An array that is being written. */
class Elements {
  #at = HEADER_BYTES;
  #hasNull = false;
  /** Where the last element that is not NULL begins and ends. */
  #last = { from: 0, to: 0 };

  constructor(
    private readonly oid: number,
    private readonly count: number,
  ) {}

  null(): void {
    this.#hasNull = true;
    this.#room(4);
    this.#at = scratch.writeInt32BE(-1, this.#at);
  }

  /** Writes the last element that is not NULL again. */
  repeat(): void {
    const { from, to } = this.#last;
    this.#room(to - from);
    scratch.copyWithin(this.#at, from, to);
    this.#at += to - from;
  }

  byte(value: number): void {
    this.#begin(1);
    this.#end(scratch.writeUInt8(value, this.#at));
  }

  double(value: number): void {
    this.#begin(8);
    this.#end(scratch.writeDoubleBE(value, this.#at));
  }

  /** @param value a safe integer. */
  integer(value: number): void {
    this.#begin(8);
    const low = scratch.writeInt32BE(Math.floor(value / 2 ** 32), this.#at);
    this.#end(scratch.writeUInt32BE(value >>> 0, low));
  }

  bigint(value: bigint): void {
    this.#begin(8);
    this.#end(scratch.writeBigInt64BE(value, this.#at));
  }

  /** @param prefix a byte before the text. */
  text(value: string, prefix?: number): void {
    this.#room(5 + 3 * value.length); // At most three bytes of UTF-8 for each UTF-16 unit.
    const from = this.#at;
    this.#at += 4;
    if (prefix !== undefined) this.#at = scratch.writeUInt8(prefix, this.#at);
    const end = this.#at + scratch.write(value, this.#at, 'utf8');
    scratch.writeInt32BE(end - from - 4, from);
    this.#last.from = from;
    this.#end(end);
  }

  finished(): Buffer {
    const isEmpty = this.count === 0;
    scratch.writeInt32BE(isEmpty ? 0 : 1, 0);
    scratch.writeInt32BE(this.#hasNull ? 1 : 0, 4);
    scratch.writeInt32BE(this.oid, 8);
    scratch.writeInt32BE(this.count, 12);
    scratch.writeInt32BE(1, 16);
    const bytes = Buffer.from(scratch.subarray(0, isEmpty ? HEADER_BYTES - 8 : this.#at));
    if (scratch.length > SCRATCH_MAX) scratch = Buffer.allocUnsafeSlow(SCRATCH_BYTES);
    return bytes;
  }

  #begin(length: number): void {
    this.#room(4 + length);
    this.#last.from = this.#at;
    this.#at = scratch.writeInt32BE(length, this.#at);
  }

  #end(at: number): void {
    this.#at = at;
    this.#last.to = at;
  }

  #room(bytes: number): void {
    if (this.#at + bytes <= scratch.length) return;
    const larger = Buffer.allocUnsafeSlow(2 * (this.#at + bytes));
    scratch.copy(larger, 0, 0, this.#at);
    scratch = larger;
  }
}

/** Writes an element; returns false for a value without a plain form. */
type Write = (out: Elements, value: unknown) => boolean;

const text: Write = (out, value) => {
  if (typeof value !== 'string') return false;
  out.text(storableText(value));
  return true;
};

const integer: Write = (out, value) => {
  if (typeof value === 'number' && Number.isSafeInteger(value)) out.integer(value);
  else if (typeof value === 'bigint' && BigInt.asIntN(64, value) === value) out.bigint(value);
  else return false;
  return true;
};

const real: Write = (out, value) => {
  if (typeof value !== 'number') return false;
  out.double(value + 0); // Text has no negative zero.
  return true;
};

const flag: Write = (out, value) => {
  if (typeof value !== 'boolean') return false;
  out.byte(value ? 1 : 0);
  return true;
};

/** In years from 1, without a remainder below a millisecond. */
const PLAIN_TIME = /^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** Where PostgreSQL begins to count. */
const EPOCH_MS = Date.UTC(2000, 0);

const time: Write = (out, value) => {
  if (typeof value !== 'string' || !PLAIN_TIME.test(value)) return false;
  const milliseconds = Date.parse(value);
  // `Date` takes 30 February for a day in March, and the hour 24.
  if (Number.isNaN(milliseconds) || new Date(milliseconds).toISOString() !== value) return false;
  const microseconds = (milliseconds - EPOCH_MS) * 1_000;
  if (Number.isSafeInteger(microseconds)) out.integer(microseconds);
  else out.bigint(BigInt(milliseconds - EPOCH_MS) * 1_000n);
  return true;
};

const JSONB_VERSION = 1;

const json: Write = (out, value) => {
  const written = storableJsonText(value);
  if (written === undefined) return false;
  out.text(written, JSONB_VERSION);
  return true;
};

type Element = { readonly oid: number; readonly write: Write };
const TEXT: Element = { oid: 25, write: text };
const BIGINT: Element = { oid: 20, write: integer };
/** The object identifiers of PostgreSQL's own types, which never change. */
const ELEMENTS: { readonly [Base in ReturnType<typeof baseOf>]?: Element } = {
  text: TEXT,
  'budget-state': TEXT,
  'event-type': TEXT,
  trigger: TEXT,
  outcome: TEXT,
  'retention-mode': TEXT,
  'key-role': TEXT,
  'read-kind': TEXT,
  'usage-source': TEXT,
  count: BIGINT,
  position: BIGINT,
  real: { oid: 701, write: real },
  flag: { oid: 16, write: flag },
  time: { oid: 1_184, write: time },
  json: { oid: 3_802, write: json },
};
