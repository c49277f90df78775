import { base64, sha256 } from '@app/tlog';

/** The part of `node:crypto` that proofs need, for browsers: SHA-256 and HMAC-SHA-256, over all updates together. */
type Data = string | Uint8Array;

const BLOCK_BYTES = 64;
const encoder = new TextEncoder();
const bytesOf = (data: Data): Uint8Array => (typeof data === 'string' ? encoder.encode(data) : data);

const joined = (parts: readonly Uint8Array[]): Uint8Array => {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
};

class Hashing {
  readonly #parts: Uint8Array[] = [];

  constructor(private readonly finish: (message: Uint8Array) => Uint8Array) {}

  update(data: Data): this {
    this.#parts.push(bytesOf(data));
    return this;
  }

  digest(): Uint8Array;
  digest(encoding: 'base64'): string;
  digest(encoding?: 'base64'): Uint8Array | string {
    const hash = this.finish(joined(this.#parts));
    return encoding === undefined ? hash : base64(hash);
  }
}

export const createHash = (_: 'sha256'): Hashing => new Hashing(sha256);

/** RFC 2104. */
export const createHmac = (_: 'sha256', key: Data): Hashing => {
  const given = bytesOf(key);
  const block = new Uint8Array(BLOCK_BYTES);
  block.set(given.length > BLOCK_BYTES ? sha256(given) : given);
  const inner = block.map((byte) => byte ^ 0x36);
  const outer = block.map((byte) => byte ^ 0x5c);
  return new Hashing((message) => sha256(joined([outer, sha256(joined([inner, message]))])));
};
