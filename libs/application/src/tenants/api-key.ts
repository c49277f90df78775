import { createHash, randomBytes, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { ApiKeyFacts } from '@app/domain';
import { KeyId } from '@app/kernel';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 256 bits, and the number of digits that they take. */
const SECRET_BYTES = 32;
const SECRET_DIGITS = 43;
const CHECK_DIGITS = 6;
const FORM = /^pal_([A-Za-z0-9]{12})_[A-Za-z0-9]{49}$/;

/** A key that was just made: `secret` is the whole of it, to be shown once; the rest is kept. */
export type NewApiKey = {
  readonly secret: string;
  readonly kept: Pick<ApiKeyFacts, 'keyId' | 'hash' | 'prefix'>;
};

/** `pal_<id>_<secret>`: the secret ends with a checksum of all that stands before it. */
export const newApiKey = (): NewApiKey => {
  const keyId = KeyId(Array.from({ length: 12 }, () => DIGITS[randomInt(DIGITS.length)]).join(''));
  const prefix = `pal_${keyId}`;
  const unchecked = `${prefix}_${inDigits(randomNumber(), SECRET_DIGITS)}`;
  const secret = `${unchecked}${checksumOf(unchecked)}`;
  return { secret, kept: { keyId, hash: hashOf(secret), prefix } };
};

/** The id in a key; `undefined` for a text that is none: mistyped, cut off, or somebody else's. */
export const keyIdIn = (secret: string): KeyId | undefined => {
  const id = FORM.exec(secret)?.[1];
  const isWhole = secret.slice(-CHECK_DIGITS) === checksumOf(secret.slice(0, -CHECK_DIGITS));
  return id !== undefined && isWhole ? KeyId(id) : undefined;
};

/** What is kept of a key: 256 random bits need neither salt nor a slow hash. */
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
