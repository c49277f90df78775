import { status } from '@grpc/grpc-js';
import type { Engine, Put } from '../../storage/engine.js';
import { GrpcFailure } from '../../wire/grpc-failure.js';
import { hashPassword } from './password.js';
import { decodeUser, encodeUser, loginName, type User } from './user.js';

/** The properties of a user, without the password. */
type UserProfile = {
  readonly login: string;
  readonly fullName: string;
  readonly groups: readonly string[];
};

const USERS_MAX = 100_000;
type Save = (puts: readonly Put[]) => Promise<void>;

/** The users of the store, all in memory. Changes are serialized, and applied once they are on disk. */
export class Users {
  readonly #users = new Map<string, User>();
  #changes = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    engine: Engine,
    private readonly save: Save,
  ) {
    for (const { value } of engine.scan('users', { from: Buffer.alloc(0), limit: USERS_MAX })) {
      const user = decodeUser(value);
      this.#users.set(user.login, user);
    }
  }

  /** Increases with every change, which invalidates caches. */
  get version(): number {
    return this.#changes;
  }

  list(): readonly User[] {
    return [...this.#users.values()].sort((a, b) => (a.login < b.login ? -1 : 1));
  }

  find(login: string): User | undefined {
    return this.#users.get(login);
  }

  /** @throws {GrpcFailure} if the user does not exist. */
  get(login: string): User {
    const user = this.#users.get(login);
    if (!user) throw userMissing(login);
    return user;
  }

  /** @throws {GrpcFailure} if the user exists. @throws {AppError} `invalid-id`. */
  create(profile: UserProfile, password: string): Promise<void> {
    return this.#inTurn(async () => {
      const login = loginName(profile.login);
      if (this.#users.has(login)) throw userExists(login);
      const groups = profile.groups.map(loginName);
      await this.#put({ ...profile, groups, disabled: false, password: await hashPassword(password) });
    });
  }

  /** @throws {GrpcFailure} if the user does not exist. @throws {AppError} `invalid-id`. */
  change(login: string, change: Partial<Pick<User, 'fullName' | 'groups' | 'disabled'>>): Promise<void> {
    return this.#inTurn(async () => {
      change.groups?.forEach(loginName);
      await this.#put({ ...this.get(login), ...change });
    });
  }

  /** @throws {GrpcFailure} if the user does not exist. */
  setPassword(login: string, password: string): Promise<void> {
    return this.#inTurn(async () => {
      this.get(login);
      await this.#put({ ...this.get(login), password: await hashPassword(password) });
    });
  }

  /** @throws {GrpcFailure} if the user does not exist. */
  remove(login: string): Promise<void> {
    return this.#inTurn(async () => {
      this.get(login);
      await this.save([{ table: 'users', key: Buffer.from(login) }]);
      this.#users.delete(login);
      this.#changes += 1;
    });
  }

  async #put(changed: Omit<User, 'updatedAt'>): Promise<void> {
    const user: User = { ...changed, updatedAt: Date.now() };
    await this.save([{ table: 'users', key: Buffer.from(user.login), value: encodeUser(user) }]);
    this.#users.set(user.login, user);
    this.#changes += 1;
  }

  #inTurn(change: () => Promise<void>): Promise<void> {
    const done = this.#last.then(change);
    this.#last = done.catch(() => undefined);
    return done;
  }
}

const userMissing = (login: string): GrpcFailure =>
  new GrpcFailure(status.NOT_FOUND, `user ${login} does not exist`, {
    exception: 'user-not-found',
    'login-name': login,
  });

const userExists = (login: string): GrpcFailure =>
  new GrpcFailure(status.FAILED_PRECONDITION, `user ${login} exists already`, {
    exception: 'user-conflict',
    'login-name': login,
  });
