import { createHash } from 'node:crypto';
import { jsonChunks, Slices } from '@app/kernel';

/** Text as UTF-8 in pieces, and its SHA-256 as base64. */
export type PageText = { readonly pieces: readonly Uint8Array[]; readonly sha256: string };

/**
 * Returns a value as JSON that markup can hold: no character of it ends a script. Written in slices, between which the
 * event loop serves other requests.
 */
export const markupJson = async (value: unknown): Promise<PageText> => {
  const pieces: Uint8Array[] = [];
  const hash = createHash('sha256');
  const slices = new Slices();
  for (const chunk of await jsonChunks(value)) {
    const piece = withoutTags(chunk);
    hash.update(piece);
    pieces.push(piece);
    if (slices.isOver) await slices.next();
  }
  return { pieces, sha256: hash.digest('base64') };
};

const LESS_THAN = 0x3c;

/** Escapes `<` in JSON. In UTF-8 its byte is part of no other character. */
const withoutTags = (chunk: Uint8Array): Uint8Array =>
  chunk.includes(LESS_THAN)
    ? Buffer.from(Buffer.from(chunk).toString('latin1').replaceAll('<', '\\u003c'), 'latin1')
    : chunk;

/** Returns the SHA-256 of a text given in parts, as base64; computed in slices. */
export const sha256Of = async (parts: Iterable<string>): Promise<string> => {
  const hash = createHash('sha256');
  const slices = new Slices();
  for (const part of parts) {
    hash.update(part);
    if (slices.isOver) await slices.next();
  }
  return hash.digest('base64');
};
