const VARINT = 0;
const LENGTH_DELIMITED = 2;
const FIXED_32 = 5;

/** Writes one protobuf message. Writes default values too: a member of a `oneof` must be present even if it is 0. */
export class ProtoWriter {
  #bytes: Buffer;
  #length = 0;

  /** `capacity`: the expected size in bytes; the buffer grows beyond it. */
  constructor(capacity = 64) {
    this.#bytes = Buffer.allocUnsafe(capacity);
  }

  /** The number of bytes written so far. */
  get length(): number {
    return this.#length;
  }

  /** Writes an integer from 0 to 2^53 of any protobuf integer type; a bigint for other 64-bit values. */
  integer(field: number, value: number | bigint): this {
    this.#tag(field, VARINT);
    this.#varint(value);
    return this;
  }

  boolean(field: number, value: boolean): this {
    return this.integer(field, value ? 1 : 0);
  }

  float(field: number, value: number): this {
    this.#tag(field, FIXED_32);
    this.#reserve(4);
    this.#length = this.#bytes.writeFloatLE(value, this.#length);
    return this;
  }

  string(field: number, value: string): this {
    const size = Buffer.byteLength(value);
    this.#tag(field, LENGTH_DELIMITED);
    this.#varint(size);
    this.#reserve(size);
    this.#bytes.write(value, this.#length, size, 'utf8');
    this.#length += size;
    return this;
  }

  /** Writes a field of type bytes, or an encoded message. */
  bytes(field: number, value: Uint8Array): this {
    this.#tag(field, LENGTH_DELIMITED);
    this.#varint(value.length);
    this.#reserve(value.length);
    this.#bytes.set(value, this.#length);
    this.#length += value.length;
    return this;
  }

  empty(field: number): this {
    this.#tag(field, LENGTH_DELIMITED);
    this.#varint(0);
    return this;
  }

  finish(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  #tag(field: number, wireType: number): void {
    this.#varint(field * 8 + wireType);
  }

  #varint(value: number | bigint): void {
    this.#reserve(10);
    if (typeof value === 'number' && value < 0x80) {
      this.#bytes[this.#length++] = value;
    } else if (typeof value === 'number') {
      this.#largeVarint(value);
    } else {
      this.#bigVarint(BigInt.asUintN(64, value));
    }
  }

  #largeVarint(value: number): void {
    let rest = value;
    while (rest >= 0x80) {
      this.#bytes[this.#length++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.#bytes[this.#length++] = rest;
  }

  #bigVarint(value: bigint): void {
    let rest = value;
    while (rest >= 0x80n) {
      this.#bytes[this.#length++] = Number(rest & 0x7fn) | 0x80;
      rest >>= 7n;
    }
    this.#bytes[this.#length++] = Number(rest);
  }

  #reserve(size: number): void {
    if (this.#length + size <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#length + size));
    this.#bytes.copy(grown, 0, 0, this.#length);
    this.#bytes = grown;
  }
}
