import { createHash, randomBytes, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { ApiKeyFacts } from '@app/domain';
import { KeyId } from '@app/kernel';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Bytes of a secret (256 bits), and the number of its digits. */
const SECRET_BYTES = 32;
const SECRET_DIGITS = 43;
const CHECK_DIGITS = 6;
const FORM = /^pal_([A-Za-z0-9]{12})_[A-Za-z0-9]{49}$/;

/** A new key: `secret` is the whole key, which is shown once; the rest is stored. */
export type NewApiKey = {
  readonly secret: string;
  readonly kept: Pick<ApiKeyFacts, 'keyId' | 'hash' | 'prefix'>;
};

/** Creates a key `pal_<id>_<secret>`, whose secret ends with a checksum of everything before it. */
export const newApiKey = (): NewApiKey => {
  const keyId = KeyId(Array.from({ length: 12 }, () => DIGITS[randomInt(DIGITS.length)]).join(''));
  const prefix = `pal_${keyId}`;
  const unchecked = `${prefix}_${inDigits(randomNumber(), SECRET_DIGITS)}`;
  const secret = `${unchecked}${checksumOf(unchecked)}`;
  return { secret, kept: { keyId, hash: hashOf(secret), prefix } };
};

/** Returns the ID in a key; `undefined` for a malformed key, such as a mistyped or truncated one. */
export const keyIdIn = (secret: string): KeyId | undefined => {
  const id = FORM.exec(secret)?.[1];
  const isWhole = secret.slice(-CHECK_DIGITS) === checksumOf(secret.slice(0, -CHECK_DIGITS));
  return id !== undefined && isWhole ? KeyId(id) : undefined;
};

/** Returns the stored hash of a key: 256 random bits need neither salt nor a slow hash. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

const checksumOf = (text: string): string => inDigits(BigInt(crc32(text)), CHECK_DIGITS);

const randomNumber = (): bigint => BigInt(`0x${randomBytes(SECRET_BYTES).toString('hex')}`);

const inDigits = (value: bigint, length: number): string => {
  const base = BigInt(DIGITS.length);
  let digits = '';
  for (let rest = value; digits.length < length; rest /= base)
    digits = `${DIGITS[Number(rest % base)]}${digits}`;
  return digits;
};
