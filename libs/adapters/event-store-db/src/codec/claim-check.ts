import { isJsonObject, type Json, type JsonObject } from '@app/kernel';
import type { BlobReference, BlobStore } from '@app/ports';

/** A string that was taken out of an event, and the place it came from: member names and list places. */
export type Claim = BlobReference & { readonly path: readonly (string | number)[] };
export type Lightened = { readonly data: JsonObject; readonly claims: readonly Claim[] };

/** Shorter strings save too little to be worth a journey to the blob store. */
const WORTH_MOVING = 4_096;

/**
 * Moves the longest strings of `data` to the blob store until what is left takes at most `sizeMax` bytes as JSON.
 * The places are recorded beside the event, never inside it: content that only looks like a reference stays content.
 */
export const lighten = async (data: JsonObject, sizeMax: number, blobs: BlobStore): Promise<Lightened> => {
  let excess = sizeOf(data) - sizeMax;
  if (excess <= 0) return { data, claims: [] };
  const longest = stringsOf(data).sort((a, b) => b.size - a.size);
  const claims: Claim[] = [];
  let lighter: Json = data;
  for (const { path, text, size } of longest) {
    if (excess <= 0 || size < WORTH_MOVING) break;
    const [content, mediaType] = encode(text);
    claims.push({ path, ...(await blobs.put(content, mediaType)) });
    lighter = replaceAt(lighter, path, '');
    excess -= size;
  }
  return { data: isJsonObject(lighter) ? lighter : data, claims };
};

/** Puts the strings back that {@link lighten} moved. */
export const restore = async (
  data: JsonObject,
  claims: readonly Claim[],
  blobs: BlobStore,
): Promise<JsonObject> => {
  let whole: Json = data;
  for (const { path, digest, mediaType } of claims) {
    whole = replaceAt(whole, path, decode(await blobs.get(digest), mediaType));
  }
  return isJsonObject(whole) ? whole : data;
};

const sizeOf = (data: JsonObject): number => Buffer.byteLength(JSON.stringify(data));

type Found = { readonly path: readonly (string | number)[]; readonly text: string; readonly size: number };
const stringsOf = (value: Json | undefined, path: readonly (string | number)[] = []): Found[] => {
  if (typeof value === 'string') {
    return value.length < WORTH_MOVING
      ? []
      : [{ path, text: value, size: Buffer.byteLength(JSON.stringify(value)) }];
  }
  if (Array.isArray(value)) return value.flatMap((item: Json, at) => stringsOf(item, [...path, at]));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => stringsOf(member, [...path, key]));
};

const replaceAt = (value: Json, [step, ...rest]: readonly (string | number)[], text: string): Json => {
  if (step === undefined) return text;
  if (Array.isArray(value))
    return value.map((item: Json, at) => (at === step ? replaceAt(item, rest, text) : item));
  if (!isJsonObject(value)) return value;
  return { ...value, [step]: replaceAt(value[step] ?? null, rest, text) };
};

const PLAIN = 'text/plain; charset=utf-8';
/** Text with a lone surrogate has no UTF-8: it is kept as a JSON string, escaped. */
const encode = (text: string): [Uint8Array, string] =>
  /\p{Surrogate}/u.test(text)
    ? [Buffer.from(JSON.stringify(text)), 'application/json']
    : [Buffer.from(text), PLAIN];
const decode = (content: Uint8Array, mediaType: string): string => {
  const text = Buffer.from(content).toString('utf8');
  return mediaType === PLAIN ? text : String(JSON.parse(text));
};
