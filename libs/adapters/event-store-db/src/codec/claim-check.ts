import { isJsonObject, isWellFormed, type Json, type JsonObject } from '@app/kernel';
import type { BlobReference, BlobStore } from '@app/ports';
import { type JsonPath, type LongString, longStringsOf, replaceAt } from './json-path.js';

/** A part moved out of an event, and its path; an empty path is the whole event. */
export type Claim = BlobReference & { readonly path: JsonPath };
export type Lightened = { readonly data: JsonObject; readonly claims: readonly Claim[] };

/** Shorter strings save too little to be worth a journey to the blob store. In UTF-16 units. */
const WORTH_MOVING = 4_096;
/** Maximum number of claims of one event; an event that needs more is moved as a whole. */
const CLAIMS_MAX = 32;
/** Bytes of a claim beside the event, without its path. */
const CLAIM_SIZE = 200;

/** Minimum bytes of an event, regardless of moved content. */
export const LIGHTEST = CLAIM_SIZE + 50;

/**
 * Moves the longest strings of `data` to the blob store until the rest takes at most `sizeMax` bytes as JSON, claims
 * included; all of it if necessary. The locations are recorded beside the event, never inside it, so that content
 * that resembles a reference stays content.
 */
export const lighten = async (data: JsonObject, sizeMax: number, blobs: BlobStore): Promise<Lightened> => {
  const excess = measured(data).size - sizeMax;
  if (excess <= 0) return { data, claims: [] };
  const moved = longestOf(data, excess) ?? [];
  const claims: Claim[] = [];
  let lighter: Json = data;
  for (const { path, text } of moved) {
    const [content, mediaType] = encode(text);
    claims.push({ path, ...(await blobs.put(content, mediaType)) });
    lighter = replaceAt(lighter, path, '');
  }
  const rest = JSON.stringify({ lighter, claims });
  if (claims.length > 0 && isJsonObject(lighter) && Buffer.byteLength(rest) <= sizeMax)
    return { data: lighter, claims };
  const reference = await blobs.put(Buffer.from(JSON.stringify(data)), JSON_TYPE);
  return { data: {}, claims: [{ path: [], ...reference }] };
};

/**
 * Restores content moved by {@link lighten}; `undefined` if a content does not match.
 *
 * @throws {AppError} like the blob store.
 */
export const restore = async (
  data: JsonObject,
  claims: readonly Claim[],
  blobs: BlobStore,
): Promise<JsonObject | undefined> => {
  const texts = new Map<string, string>();
  for (const { digest } of claims) texts.set(digest, Buffer.from(await blobs.get(digest)).toString('utf8'));
  return restoreTexts(data, claims, texts);
};

/** Restores content from texts by their digests; `undefined` if one is missing, or does not match. */
export const restoreTexts = (
  data: JsonObject,
  claims: readonly Pick<Claim, 'path' | 'digest' | 'mediaType'>[],
  texts: ReadonlyMap<string, string>,
): JsonObject | undefined => {
  let whole: Json = data;
  for (const { path, digest, mediaType } of claims) {
    const text = texts.get(digest);
    const part = text === undefined ? undefined : decode(text, mediaType);
    if (part === undefined) return undefined;
    whole = replaceAt(whole, path, part);
  }
  return isJsonObject(whole) ? whole : undefined;
};

/** Returns the JSON text in UTF-8 and its size; for data too large for any append, only a lower bound from its long strings. */
export const measured = (data: JsonObject): { readonly size: number; readonly bytes?: Uint8Array } => {
  const long = longStringsOf(data, WORTH_MOVING).reduce((sum, { size }) => sum + size, 0);
  if (long > TOO_LARGE) return { size: long };
  const bytes = Buffer.from(JSON.stringify(data));
  return { size: bytes.length, bytes };
};
/** More than any append holds. In bytes. */
const TOO_LARGE = 1_048_576;

/** Returns the fewest strings that free `excess` bytes; `undefined` if that is impossible or needs too many. */
const longestOf = (data: JsonObject, excess: number): readonly LongString[] | undefined => {
  const longest = longStringsOf(data, WORTH_MOVING).sort((a, b) => b.size - a.size);
  let rest = excess;
  for (const [at, { path, size }] of longest.slice(0, CLAIMS_MAX).entries()) {
    rest -= size - CLAIM_SIZE - Buffer.byteLength(JSON.stringify(path));
    if (rest <= 0) return longest.slice(0, at + 1);
  }
  return undefined;
};

const TEXT_TYPE = 'text/plain; charset=utf-8';
const JSON_TYPE = 'application/json';
/** Text with a lone surrogate has no UTF-8: it is kept as a JSON string, escaped. */
const encode = (text: string): [Uint8Array, string] =>
  isWellFormed(text) ? [Buffer.from(text), TEXT_TYPE] : [Buffer.from(JSON.stringify(text)), JSON_TYPE];

const decode = (text: string, mediaType: string): Json | undefined => {
  if (mediaType === TEXT_TYPE) return text;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
