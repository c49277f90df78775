import { AppError, invariant, isJsonObject } from '@app/kernel';

/** The stored hash of a password. */
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
 * Validates the name of a user or group, which occurs in ACLs, in headers before a colon, and in keys.
 * @throws {AppError} `invalid-id`.
 */
export const loginName = (text: string): string => {
  const isName = /^[^\s:,\p{Cc}]+$/u.test(text) && text.length <= NAME_LENGTH_MAX;
  if (isName && text !== '$all') return text;
  throw new AppError(
    'invalid-id',
    `the name of a user or group must have 1 to ${NAME_LENGTH_MAX} characters without space, comma or colon, and not be $all`,
  );
};

export const encodeUser = (user: User): Buffer => Buffer.from(JSON.stringify(user));

/** Decodes the bytes of {@link encodeUser}. */
export const decodeUser = (bytes: Buffer): User => {
  const stored: unknown = JSON.parse(bytes.toString('utf8'));
  invariant(isUser(stored), 'a stored user is malformed');
  return stored;
};

// A shallow check: only this program writes users.
const isUser = (stored: unknown): stored is User =>
  isJsonObject(stored) &&
  typeof stored.login === 'string' &&
  Array.isArray(stored.groups) &&
  isJsonObject(stored.password);
