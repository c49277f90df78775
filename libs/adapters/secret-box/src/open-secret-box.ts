import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { AppError } from '@app/kernel';
import type { SecretBox } from '@app/ports';
import type { SecretKey } from './secret-keys.js';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Form of a sealed secret: `v1.KEY.BYTES`, the bytes being nonce, ciphertext and tag as base64url. */
const SEALED = /^v1\.([0-9a-f]{12})\.([A-Za-z0-9_-]+)$/;

/** Returns a box with AES-256-GCM: the first key seals, and every key opens its own secrets. */
export const openSecretBox = (keys: readonly SecretKey[]): SecretBox => {
  const [sealing] = keys;
  return {
    prefix: sealing && `v1.${sealing.id}.`,
    seal: (secret, place) => {
      if (sealing) return seal(sealing, secret, place);
      const way = 'give every process PALIMPSEST_SECRETS_KEY_FILE';
      throw new AppError('secrets-key-missing', `secrets are kept sealed, and there is no key: ${way}`);
    },
    open: (sealed, place) => {
      const [, id, written = ''] = SEALED.exec(sealed) ?? [];
      if (id === undefined) throw unreadable('a kept secret is not as this version seals them');
      const key = keys.find((one) => one.id === id);
      if (!key) throw unreadable(`a secret is sealed with the key ${id}, which this process does not have`);
      return open(key, Buffer.from(written, 'base64url'), place);
    },
  };
};

const seal = ({ id, bytes }: SecretKey, secret: string, place: string): string => {
  // Random: a key would have to seal billions of secrets before two nonces may be the same.
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, bytes, nonce).setAAD(Buffer.from(place));
  const ciphertext = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return `v1.${id}.${Buffer.concat([nonce, ciphertext, cipher.getAuthTag()]).toString('base64url')}`;
};

const open = ({ id, bytes }: SecretKey, sealed: Buffer, place: string): string => {
  const end = sealed.length - TAG_BYTES;
  try {
    const decipher = createDecipheriv(ALGORITHM, bytes, sealed.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.from(place)).setAuthTag(sealed.subarray(end));
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, end)), decipher.final()]).toString();
  } catch (cause) {
    throw unreadable(`a secret that the key ${id} has sealed was changed, or moved, since`, cause);
  }
};

const unreadable = (message: string, cause?: unknown): AppError =>
  new AppError('secret-unreadable', message, { cause });

/** A box whose keys can be exchanged while it is in use. */
export type ReplaceableBox = SecretBox & {
  readonly keys: readonly SecretKey[];
  replace(keys: readonly SecretKey[]): void;
};

export const replaceableBox = (first: readonly SecretKey[]): ReplaceableBox => {
  let current = { keys: first, box: openSecretBox(first) };
  return {
    get prefix() {
      return current.box.prefix;
    },
    get keys() {
      return current.keys;
    },
    seal: (secret, place) => current.box.seal(secret, place),
    open: (sealed, place) => current.box.open(sealed, place),
    replace: (keys) => {
      current = { keys, box: openSecretBox(keys) };
    },
  };
};
