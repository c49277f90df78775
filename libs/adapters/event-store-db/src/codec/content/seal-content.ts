import { createCipheriv, createDecipheriv, hkdfSync, randomFillSync } from 'node:crypto';
import type { Erased } from '@app/domain';
import { AppError, invariant, type Json, type JsonObject, Slices, type StreamName } from '@app/kernel';
import type { ContentKey, ContentKeys } from '@app/ports';
import { contentDigest, contentSalt, sealingKeysOf } from '@app/proof';
import { z } from 'zod';
import { CONTENT_RULES, type ContentRule } from './content-rules.js';
import { type ContentPart, partContent, withContent, withErased } from './part-content.js';

/** The place of an event, to which its sealed content is bound. */
export type EventPlace = { readonly stream: StreamName; readonly id: string; readonly type: string };

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
/** Bytes encrypted at a time, in about a millisecond. */
const STRETCH_BYTES = 1_048_576;
/**
 * The member `sealed` of an event's data: one text, or a list of texts where content belongs to different subjects.
 * Each text is `v1.KEYS.BYTES`:
 *
 * - KEYS are the ids of the keys, separated by `~`: the session's key first, then one for each subject. A reader that lacks
 *   one of them, because it was destroyed, cannot read the content.
 * - BYTES are nonce (12), ciphertext and tag (16) of AES-256-GCM as base64. The key is the session's key alone, or
 *   HKDF-SHA-256 over all keys one after the other in the order of KEYS, without salt and with the info
 *   `palimpsest content v1`. Additional data is the JSON text of the list [stream, event id, event type, KEYS].
 * - The plaintext is the JSON text of a list of `{at, value}`: a path in the public data, and the content in its place.
 *
 * The transparency log commits to this text, which outlives the keys.
 */
const FORM = /^v1\.([A-Za-z0-9_-]{16}(?:~[A-Za-z0-9_-]{16})*)\./;
const BETWEEN_KEYS = '~';
const KEY_INFO = 'palimpsest content v1';

const contentParts = z.array(
  z.object({ at: z.array(z.union([z.string(), z.number()])), value: z.custom<Json>() }),
);

const RULES: ReadonlyMap<string, readonly ContentRule[]> = new Map(Object.entries(CONTENT_RULES));

/**
 * Moves the content of an event's data into the encrypted member `sealed`, and adds `contentDigest`, with which a reader of the
 * content can prove it as long as its keys live. Data without content is returned as it is.
 *
 * @throws {AppError} like the keys.
 */
export const sealContent = async (
  data: JsonObject,
  place: EventPlace,
  keys: ContentKeys,
): Promise<JsonObject> => {
  const rules = RULES.get(place.type);
  if (!rules) return data;
  const parted = partContent(data, rules);
  const texts: Sealed[] = [];
  for (const { subjects, parts } of parted.content)
    texts.push(await sealed(parts, place, await keys.toSeal(place.stream, subjects)));
  const [first, ...others] = texts;
  if (!first) return data;
  if (others.length === 0) return { ...parted.data, contentDigest: first.digest, sealed: first.sealed };
  const digests = texts.map(({ digest }) => digest);
  return { ...parted.data, contentDigest: digests, sealed: texts.map((one) => one.sealed) };
};

/** One text of sealed content, and the proof for a reader of its plaintext. */
type Sealed = { readonly sealed: string; readonly digest: string };

const sealed = async (
  parts: readonly ContentPart[],
  place: EventPlace,
  keys: readonly ContentKey[],
): Promise<Sealed> => {
  const ids = keys.map(({ id }) => id).join(BETWEEN_KEYS);
  const key = keyOf(keys);
  const nonce = nextNonce();
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(boundTo(place, ids));
  const slices = new Slices();
  const text = JSON.stringify(parts);
  if (slices.isOver) await slices.next();
  const plain = Buffer.from(text);
  const ciphertext =
    plain.length <= STRETCH_BYTES ? [cipher.update(plain)] : await through(cipher, plain, slices);
  const bytes = Buffer.concat([nonce, ...ciphertext, cipher.final(), cipher.getAuthTag()]);
  if (slices.isOver) await slices.next();
  return {
    sealed: `v1.${ids}.${bytes.toString('base64')}`,
    digest: contentDigest(contentSalt(key), place.id, text),
  };
};

/**
 * Returns the whole data of an event. Data of events without sealed content is returned as it is. In the place of content
 * whose keys were destroyed are markers.
 *
 * @throws {AppError} `content-key-missing` if the store never had the key; `corrupt-event` if the content was changed
 *   or moved; like the keys.
 */
export const openContent = async (
  data: JsonObject,
  place: EventPlace,
  keys: ContentKeys,
): Promise<JsonObject> => {
  const { sealed: written } = data;
  if (written === undefined) return data;
  const open = openPartOf(data);
  const content: ContentPart[] = [];
  let erased: Erased | undefined;
  for (const sealed of Array.isArray(written) ? written : [written]) {
    if (typeof sealed !== 'string') throw corrupt(place, UNKNOWN_FORM);
    const opened = await openedText(sealed, place, keys);
    if ('erased' in opened) erased ??= opened.erased;
    else content.push(...partsIn(opened.text, place));
  }
  const whole = withContent(open, content);
  if (!whole) throw corrupt(place, 'has a public part that does not belong to its sealed content');
  return erased ? withErased(whole, RULES.get(place.type) ?? [], content, erased) : whole;
};

/** Returns the public part of an event's data. */
export const openPartOf = (data: JsonObject): JsonObject => {
  if (data.sealed === undefined) return data;
  const { sealed: _, contentDigest: __, ...open } = data;
  return open;
};

const UNKNOWN_FORM = 'is sealed in a form that this version does not know';

/** Content in clear, as it was encrypted, with the IDs of its keys and the key made of them; or how it was erased. */
type Opened = { readonly key: ContentKey; readonly text: string } | { readonly erased: Erased };

/**
 * Returns one text of sealed content in clear.
 *
 * @throws {AppError} `content-key-missing` if the key store never had one of its keys; `corrupt-event` if the content was
 *   changed or moved; like the keys.
 */
export const openedText = async (sealed: string, place: EventPlace, keys: ContentKeys): Promise<Opened> => {
  const [prefix, ids] = FORM.exec(sealed) ?? [];
  if (prefix === undefined || ids === undefined) throw corrupt(place, UNKNOWN_FORM);
  const found: ContentKey[] = [];
  for (const id of ids.split(BETWEEN_KEYS)) {
    const key = await keys.toOpen(id);
    if (!key) throw keyMissing(place, sealed);
    if ('erased' in key) return { erased: key.erased };
    found.push(key);
  }
  const key = { id: ids, bytes: keyOf(found) };
  const slices = new Slices();
  const bytes = Buffer.from(sealed.slice(prefix.length), 'base64');
  const end = bytes.length - TAG_BYTES;
  if (end < NONCE_BYTES) throw corrupt(place, 'has sealed content that was cut');
  const decipher = createDecipheriv(ALGORITHM, key.bytes, bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(boundTo(place, ids)).setAuthTag(bytes.subarray(end));
  const cipher = bytes.subarray(NONCE_BYTES, end);
  const pieces =
    cipher.length <= STRETCH_BYTES ? [decipher.update(cipher)] : await through(decipher, cipher, slices);
  if (slices.isOver) await slices.next();
  const text = Buffer.concat([...pieces, finished(decipher, place)]).toString();
  if (slices.isOver) await slices.next();
  return { key, text };
};

const partsIn = (text: string, place: EventPlace): readonly ContentPart[] => {
  const parts = contentParts.safeParse(JSON.parse(text));
  if (!parts.success) throw corrupt(place, UNKNOWN_FORM);
  return parts.data;
};

/** Without any one of the keys nothing is left of the key for the content. */
const keyOf = (keys: readonly ContentKey[]): Uint8Array => {
  const [first, ...others] = keys;
  invariant(first, 'content has the key of its session');
  if (others.length === 0) return first.bytes;
  const all = Buffer.concat(keys.map(({ bytes }) => bytes));
  return new Uint8Array(hkdfSync('sha256', all, Buffer.alloc(0), KEY_INFO, KEY_BYTES));
};

/** Checks the tag. */
const finished = (decipher: { final(): Buffer }, place: EventPlace): Buffer => {
  try {
    return decipher.final();
  } catch (cause) {
    throw corrupt(place, 'has sealed content that was changed or moved', cause);
  }
};

/** Sealed content cannot be moved to another event. */
const boundTo = ({ stream, id, type }: EventPlace, keyIds: string): Buffer =>
  Buffer.from(JSON.stringify([stream, id, type, keyIds]));

/** Encrypts or decrypts bytes; yields to the event loop between stretches of many. */
const through = async (
  cipher: { update(bytes: Buffer): Buffer },
  bytes: Buffer,
  slices: Slices,
): Promise<readonly Buffer[]> => {
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += STRETCH_BYTES) {
    if (slices.isOver) await slices.next();
    pieces.push(cipher.update(bytes.subarray(at, at + STRETCH_BYTES)));
  }
  return pieces;
};

const corrupt = ({ stream, id }: EventPlace, fault: string, cause?: unknown): AppError =>
  new AppError('corrupt-event', `event ${id} of ${stream} ${fault}`, { cause });

const keyMissing = (place: EventPlace, sealed: string): AppError =>
  new AppError(
    'content-key-missing',
    `event ${place.id} of ${place.stream} is encrypted with the key ${sealingKeysOf(sealed)}, which the key store never had: restore the schema "keys" of the database that belongs to this log`,
  );

/** Nonces drawn at a time: one draw costs as much as one encryption, whatever its size. */
const DRAWN = 256;

let drawn = Buffer.alloc(0);

/** Returns a random nonce of AES-GCM, 12 bytes that no other call returns. */
const nextNonce = (): Buffer => {
  if (drawn.length === 0) drawn = randomFillSync(Buffer.alloc(DRAWN * NONCE_BYTES));
  const nonce = drawn.subarray(0, NONCE_BYTES);
  drawn = drawn.subarray(NONCE_BYTES);
  return nonce;
};
