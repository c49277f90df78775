import type { TranscriptLine } from '../transcript.js';
import type { Encoding } from './encoding.js';

/** Cuts bytes into lines. Holds the one line that is not complete yet, and at most `bytesMax` of it. */
export class LineSplitter {
  #parts: Uint8Array[] = [];
  #size = 0;
  #number = 0;
  /** The first byte of a code unit whose second has not come yet. */
  #halfUnit: Uint8Array = NOTHING;

  constructor(
    private readonly encoding: Encoding,
    private readonly bytesMax: number,
  ) {}

  /** The lines that `chunk` completes. */
  *push(chunk: Uint8Array): Generator<TranscriptLine> {
    const bytes = this.#wholeUnits(chunk);
    let from = 0;
    for (let end = this.#lineEnd(bytes, from); end >= 0; end = this.#lineEnd(bytes, from)) {
      this.#take(bytes.subarray(from, end));
      from = end + this.encoding.lineEnd.length;
      yield this.#line();
    }
    // Copied, because the caller may reuse the buffer.
    if (from < bytes.length) this.#take(new Uint8Array(bytes.subarray(from)));
  }

  /** Yields an unterminated last line. */
  *end(): Generator<TranscriptLine> {
    this.#take(this.#halfUnit);
    if (this.#size > 0) yield this.#line();
  }

  #wholeUnits(chunk: Uint8Array): Buffer {
    const bytes =
      this.#halfUnit.length > 0
        ? Buffer.concat([this.#halfUnit, chunk])
        : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const whole = bytes.length - (bytes.length % this.encoding.unitBytes);
    this.#halfUnit = Uint8Array.from(bytes.subarray(whole));
    return bytes.subarray(0, whole);
  }

  #lineEnd(bytes: Buffer, from: number): number {
    let at = bytes.indexOf(this.encoding.lineEnd, from);
    while (at >= 0 && at % this.encoding.unitBytes !== 0) at = bytes.indexOf(this.encoding.lineEnd, at + 1);
    return at;
  }

  #take(bytes: Uint8Array): void {
    this.#size += bytes.length;
    if (this.#size > this.bytesMax) this.#parts = [];
    else if (bytes.length > 0) this.#parts.push(bytes);
  }

  #line(): TranscriptLine {
    const bytes = this.#size > this.bytesMax ? undefined : this.#joined();
    this.#parts = [];
    this.#size = 0;
    this.#number += 1;
    if (bytes === undefined) return this.#unreadable(`is longer than ${this.bytesMax} bytes`);

    const text = this.encoding.decode(bytes);
    if (text === undefined) return this.#unreadable(`is not ${this.encoding.name}`);
    return { number: this.#number, text: text.endsWith('\r') ? text.slice(0, -1) : text };
  }

  #joined(): Uint8Array {
    const [part] = this.#parts;
    return part && this.#parts.length === 1 ? part : Buffer.concat(this.#parts);
  }

  #unreadable(reason: string): TranscriptLine {
    return { number: this.#number, text: undefined, reason };
  }
}

const NOTHING = new Uint8Array(0);
