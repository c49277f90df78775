import { AppError, invariant, isJsonObject } from '@app/kernel';

/** A password as it is kept: nobody can tell from it what it was. */
export type HashedPassword = {
  readonly algorithm: 'scrypt';
  readonly cost: number;
  readonly salt: string;
  readonly hash: string;
};

export type User = {
  readonly login: string;
  readonly fullName: string;
  readonly groups: readonly string[];
  readonly disabled: boolean;
  readonly password: HashedPassword;
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
};

const NAME_LENGTH_MAX = 128;

/**
 * A name as users and groups have it: it stands in lists, in headers before a colon, and in keys.
 *
 * @throws {AppError} `invalid-id`.
 */
export const loginName = (text: string): string => {
  const isName = /^[^\s:,\p{Cc}]+$/u.test(text) && text.length <= NAME_LENGTH_MAX;
  if (isName && text !== '$all') return text;
  throw new AppError(
    'invalid-id',
    `the name of a user or group has 1 to ${NAME_LENGTH_MAX} characters, no space, no comma and no colon, and is not $all`,
  );
};

export const encodeUser = (user: User): Buffer => Buffer.from(JSON.stringify(user));

/** What {@link encodeUser} wrote. */
export const decodeUser = (bytes: Buffer): User => {
  const stored: unknown = JSON.parse(bytes.toString('utf8'));
  invariant(isUser(stored), 'a stored user is malformed');
  return stored;
};

// Written by this program alone, and checked only for being of that kind.
const isUser = (stored: unknown): stored is User =>
  isJsonObject(stored) &&
  typeof stored.login === 'string' &&
  Array.isArray(stored.groups) &&
  isJsonObject(stored.password);
