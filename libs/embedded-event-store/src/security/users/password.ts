import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import type { HashedPassword } from './user.js';

/** Iterations: about 80 ms and 32 MiB per attempt. Stored with each password, so that it can be raised later. */
const COST = 2 ** 15;
const BLOCK_SIZE = 8;
const SALT_BYTES = 16;
const HASH_BYTES = 32;

export const hashPassword = async (password: string): Promise<HashedPassword> => {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(password, salt, COST);
  return { algorithm: 'scrypt', cost: COST, salt: salt.toString('base64'), hash: hash.toString('base64') };
};

export const isPassword = async (attempt: string, { cost, salt, hash }: HashedPassword): Promise<boolean> => {
  const expected = Buffer.from(hash, 'base64');
  const derived = await derive(attempt, Buffer.from(salt, 'base64'), cost);
  return derived.length === expected.length && timingSafeEqual(derived, expected);
};

/** Verified for unknown users, so that the response time does not reveal whether a user exists. */
export const UNKNOWN_USERS_PASSWORD: HashedPassword = {
  algorithm: 'scrypt',
  cost: COST,
  salt: randomBytes(SALT_BYTES).toString('base64'),
  hash: randomBytes(HASH_BYTES).toString('base64'),
};

/** Returns 24 characters that need no escaping in a connection string. */
export const generatePassword = (): string => randomBytes(18).toString('base64url');

const derive = (password: string, salt: Buffer, cost: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const options = { N: cost, r: BLOCK_SIZE, p: 1, maxmem: 256 * cost * BLOCK_SIZE };
    scrypt(password.normalize('NFC'), salt, HASH_BYTES, options, (fault, key) =>
      fault ? reject(fault) : resolve(key),
    );
  });
