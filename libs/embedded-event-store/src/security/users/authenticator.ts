import { createHmac, randomBytes } from 'node:crypto';
import { ANONYMOUS, type Caller } from '../acl/caller.js';
import { isPassword, UNKNOWN_USERS_PASSWORD } from './password.js';
import type { User } from './user.js';
import type { Users } from './users.js';

/** Milliseconds that a verified password is cached. */
const CACHE_MS = 60_000;
const CACHE_COUNT_MAX = 1_000;

type Verified = { readonly caller: Caller; readonly version: number; readonly until: number };

/**
 * Authenticates callers by the header `authorization: Basic …`. Caches verified passwords briefly under a keyed hash.
 * Runs one verification at a time, so that guessing occupies at most one core.
 */
export class Authenticator {
  readonly #secret = randomBytes(32);
  readonly #cache = new Map<string, Verified>();
  readonly #running = new Map<string, Promise<Caller | undefined>>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(private readonly users: Pick<Users, 'find' | 'version'>) {}

  /** Returns the caller at once if there are no credentials or they are cached; `undefined` for wrong ones. */
  callerOf(authorization: string | undefined): Caller | undefined | Promise<Caller | undefined> {
    if (authorization === undefined) return ANONYMOUS;
    const credentials = credentialsOf(authorization);
    if (!credentials) return undefined;
    const key = this.#keyOf(authorization);
    const known = this.#cache.get(key);
    if (known && known.version === this.users.version && known.until > Date.now()) return known.caller;
    const running = this.#running.get(key) ?? this.#verifyInTurn(key, credentials);
    this.#running.set(key, running);
    return running;
  }

  #verifyInTurn(key: string, credentials: Credentials): Promise<Caller | undefined> {
    const verified = this.#last.then(() => this.#verify(key, credentials));
    const done = verified.finally(() => this.#running.delete(key));
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #verify(key: string, { login, password }: Credentials): Promise<Caller | undefined> {
    const { version } = this.users;
    const user = this.users.find(login);
    const isRight = await isPassword(password, user?.password ?? UNKNOWN_USERS_PASSWORD);
    if (!user || !isRight || user.disabled) return undefined;
    const caller = callerFrom(user);
    if (this.#cache.size >= CACHE_COUNT_MAX) this.#cache.clear();
    this.#cache.set(key, { caller, version, until: Date.now() + CACHE_MS });
    return caller;
  }

  #keyOf(authorization: string): string {
    return createHmac('sha256', this.#secret).update(authorization).digest('base64');
  }
}

type Credentials = { readonly login: string; readonly password: string };

const callerFrom = ({ login, groups }: User): Caller => ({ kind: 'user', name: login, groups });

const credentialsOf = (authorization: string): Credentials | undefined => {
  const encoded = /^Basic\s+(\S+)$/i.exec(authorization)?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : { login: text.slice(0, colon), password: text.slice(colon + 1) };
};
