import { createCipheriv, createDecipheriv } from 'node:crypto';
import { AppError, isJsonObject, type Json, type JsonObject, Slices, type StreamName } from '@app/kernel';
import type { ContentKey, ContentKeys } from '@app/ports';
import { contentDigest, contentSalt, sealingKeysOf } from '@app/proof';
import { z } from 'zod';
import { CONTENT_RULES, type ContentRule } from './content-rules.js';
import { nextNonce } from './nonces.js';
import { partContent, withContent } from './part-content.js';

/** Where an event is, to which its sealed content is bound. */
export type EventPlace = { readonly stream: StreamName; readonly id: string; readonly type: string };

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Bytes encrypted at a time, in about a millisecond. */
const STRETCH_BYTES = 1_048_576;
/** How sealed content begins: `v1.KEY.BYTES`, the bytes being nonce, ciphertext and tag as base64. */
const FORM = /^v1\.([A-Za-z0-9_-]{16})\./;

const contentParts = z.array(
  z.object({ at: z.array(z.union([z.string(), z.number()])), value: z.custom<Json>() }),
);

const RULES: ReadonlyMap<string, readonly ContentRule[]> = new Map(Object.entries(CONTENT_RULES));

/**
 * Moves the content of an event's data into one encrypted member, `sealed`, and adds `contentDigest`, with which a reader of the
 * content can prove it as long as its key lives. Data without content is returned as it is.
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
  if (parted.content.length === 0) return data;
  const key = await keys.toSeal(place.stream);
  const nonce = nextNonce();
  const cipher = createCipheriv(ALGORITHM, key.bytes, nonce).setAAD(boundTo(place, key.id));
  const slices = new Slices();
  const text = JSON.stringify(parted.content);
  if (slices.isOver) await slices.next();
  const plain = Buffer.from(text);
  const ciphertext =
    plain.length <= STRETCH_BYTES ? [cipher.update(plain)] : await through(cipher, plain, slices);
  const bytes = Buffer.concat([nonce, ...ciphertext, cipher.final(), cipher.getAuthTag()]);
  if (slices.isOver) await slices.next();
  return {
    ...parted.data,
    contentDigest: contentDigest(contentSalt(key.bytes), place.id, text),
    sealed: `v1.${key.id}.${bytes.toString('base64')}`,
  };
};

/**
 * Returns the whole data of an event. Data of events without sealed content is returned as it is.
 *
 * @throws {AppError} `corrupt-event` if the key is missing, or if the content was changed or moved; like the keys.
 */
export const openContent = async (
  data: JsonObject,
  place: EventPlace,
  keys: ContentKeys,
): Promise<JsonObject> => {
  const { sealed, contentDigest: _, ...open } = data;
  if (sealed === undefined) return data;
  if (typeof sealed !== 'string') throw corrupt(place, UNKNOWN_FORM);
  const opened = await openedText(sealed, place, keys);
  if (!opened) {
    const remedy = 'restore the schema "keys" of the database that belongs to this log';
    const id = sealingKeysOf(sealed);
    throw corrupt(place, `is encrypted with the key ${id}, which the key store does not have: ${remedy}`);
  }
  return restored(open, opened.text, place);
};
const UNKNOWN_FORM = 'is sealed in a form that this version does not know';

/**
 * Returns sealed content in clear, as it was encrypted, and its key; `undefined` if the key store does not have the key.
 *
 * @throws {AppError} `corrupt-event` if the content was changed or moved; like the keys.
 */
export const openedText = async (
  sealed: string,
  place: EventPlace,
  keys: ContentKeys,
): Promise<{ readonly key: ContentKey; readonly text: string } | undefined> => {
  const [prefix, id] = FORM.exec(sealed) ?? [];
  if (prefix === undefined || id === undefined) throw corrupt(place, UNKNOWN_FORM);
  const key = await keys.toOpen(id);
  if (!key) return undefined;
  const slices = new Slices();
  const bytes = Buffer.from(sealed.slice(prefix.length), 'base64');
  const end = bytes.length - TAG_BYTES;
  if (end < NONCE_BYTES) throw corrupt(place, 'has sealed content that was cut');
  const decipher = createDecipheriv(ALGORITHM, key.bytes, bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(boundTo(place, id)).setAuthTag(bytes.subarray(end));
  const cipher = bytes.subarray(NONCE_BYTES, end);
  const pieces =
    cipher.length <= STRETCH_BYTES ? [decipher.update(cipher)] : await through(decipher, cipher, slices);
  if (slices.isOver) await slices.next();
  const text = Buffer.concat([...pieces, finished(decipher, place)]).toString();
  if (slices.isOver) await slices.next();
  return { key, text };
};

/** Checks the tag. */
const finished = (decipher: { final(): Buffer }, place: EventPlace): Buffer => {
  try {
    return decipher.final();
  } catch (cause) {
    throw corrupt(place, 'has sealed content that was changed or moved', cause);
  }
};

const restored = (open: JsonObject, text: string, place: EventPlace): JsonObject => {
  const content = contentParts.safeParse(JSON.parse(text));
  const whole = content.success ? withContent(open, content.data) : undefined;
  if (!isJsonObject(whole))
    throw corrupt(place, 'has a public part that does not belong to its sealed content');
  return whole;
};

/** Sealed content cannot be moved to another event. */
const boundTo = ({ stream, id, type }: EventPlace, keyId: string): Buffer =>
  Buffer.from(JSON.stringify([stream, id, type, keyId]));

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
