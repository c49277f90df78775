/** Reads one protobuf message field by field. Returned buffers share the bytes of the message. */
export class ProtoReader {
  #at = 0;
  #field = 0;
  #wireType = 0;

  constructor(private readonly message: Buffer) {}

  /**
   * Advances to the next field; returns false at the end of the message. The previous field must have been read or
   * skipped.
   */
  next(): boolean {
    if (this.#at >= this.message.length) return false;
    const tag = Number(this.#varint());
    this.#field = Math.floor(tag / 8);
    this.#wireType = tag % 8;
    return true;
  }

  get field(): number {
    return this.#field;
  }

  /** Reads a field of type bytes, string or message. */
  bytes(): Buffer {
    this.#expect(LENGTH_DELIMITED);
    const length = Number(this.#varint());
    return this.#take(length);
  }

  string(): string {
    return this.bytes().toString('utf8');
  }

  /** Reads an unsigned 64-bit integer; signed values are in two's complement. */
  integer(): bigint {
    this.#expect(VARINT);
    return BigInt(this.#varint());
  }

  skip(): void {
    if (this.#wireType === VARINT) this.#varint();
    else if (this.#wireType === LENGTH_DELIMITED) this.bytes();
    else if (this.#wireType === FIXED_64) this.#take(8);
    else if (this.#wireType === FIXED_32) this.#take(4);
    else throw malformed();
  }

  #expect(wireType: number): void {
    if (this.#wireType !== wireType) throw malformed();
  }

  #take(length: number): Buffer {
    const end = this.#at + length;
    if (end > this.message.length) throw malformed();
    const bytes = this.message.subarray(this.#at, end);
    this.#at = end;
    return bytes;
  }

  /** Returns a number up to 49 bits, a bigint above. */
  #varint(): number | bigint {
    let value = 0;
    for (let factor = 1; factor < 2 ** 49; factor *= 0x80) {
      const byte = this.#byte();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
    let large = BigInt(value);
    for (let shift = 49n; shift < 70n; shift += 7n) {
      const byte = this.#byte();
      large |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, large);
    }
    throw malformed();
  }

  #byte(): number {
    const byte = this.message[this.#at];
    if (byte === undefined) throw malformed();
    this.#at += 1;
    return byte;
  }
}

const VARINT = 0;
const FIXED_64 = 1;
const LENGTH_DELIMITED = 2;
const FIXED_32 = 5;
const malformed = (): RangeError => new RangeError('a protobuf message is malformed');
