import { TextDecoder } from 'node:util';
import { encodingOf, MARK_BYTES_MAX } from '../lines/encoding.js';
import { PACKING_BYTES } from './packing.js';

/**
 * Bytes that can be read a second time from their beginning, as long as that may be needed. The first reading ends early
 * once `bytesMax` are kept.
 */
export class KeptBytes {
  readonly #source: AsyncIterator<Uint8Array>;
  #kept: Uint8Array[] | undefined = [];
  #size = 0;
  #isCut = false;
  #start: Uint8Array = new Uint8Array();

  constructor(
    bytes: AsyncIterable<Uint8Array>,
    private readonly bytesMax: number,
  ) {
    this.#source = bytes[Symbol.asyncIterator]();
  }

  /** The first bytes, once they were read. */
  get start(): Uint8Array {
    return this.#start;
  }

  /** Whether the first reading ended before the bytes did. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** Keeps nothing further: there will be no second reading. */
  forget(): void {
    this.#kept = undefined;
  }

  async *first(): AsyncGenerator<Uint8Array, void, undefined> {
    for (let next = await this.#source.next(); !next.done; next = await this.#source.next()) {
      // Copied, because the caller may reuse the buffer.
      this.#kept?.push(Uint8Array.from(next.value));
      this.#size += next.value.length;
      if (this.#start.length < PACKING_BYTES)
        this.#start = Buffer.concat([this.#start, next.value.subarray(0, PACKING_BYTES)]);
      yield next.value;
      if (this.#kept !== undefined && this.#size >= this.bytesMax) {
        this.#isCut = true;
        return;
      }
    }
  }

  /** Yields the kept bytes, followed by the rest. */
  async *again(): AsyncGenerator<Uint8Array, void, undefined> {
    const kept = this.#kept ?? [];
    this.#kept = undefined;
    for (let chunk = kept.shift(); chunk !== undefined; chunk = kept.shift()) yield chunk;
    for (let next = await this.#source.next(); !next.done; next = await this.#source.next()) yield next.value;
  }

  /** Closes the bytes; a second time it does nothing. */
  async close(): Promise<void> {
    await this.#source.return?.();
  }
}

/** The bytes without a byte order mark, as UTF-8. */
export async function* asUtf8(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  let start: Buffer | undefined = Buffer.alloc(0);
  let decoder: TextDecoder | undefined;
  const recoded = (chunk: Uint8Array): Uint8Array =>
    decoder === undefined ? chunk : Buffer.from(decoder.decode(chunk, { stream: true }), 'utf8');
  for await (const chunk of bytes) {
    if (start === undefined) {
      yield recoded(chunk);
      continue;
    }
    start = Buffer.concat([start, chunk]);
    if (start.length < MARK_BYTES_MAX) continue;
    const encoding = encodingOf(start);
    if (encoding.unitBytes === 2) decoder = new TextDecoder(start[0] === 0xff ? 'utf-16le' : 'utf-16be');
    yield recoded(start.subarray(encoding.markBytes));
    start = undefined;
  }
  if (start !== undefined && start.length > 0) yield start;
}
