import { timingSafeEqual } from 'node:crypto';
import { OPERATOR_TENANT, permissionsOf } from '@app/domain';
import { Actor, type KeyId, type TenantId } from '@app/kernel';
import type { Access, Clock, KeyUses, Principal } from '@app/ports';
import { hashOf, keyIdIn } from './api-key.js';
import type { KeyDirectory } from './key-directory.js';

/** Minimum milliseconds between records of a key's use. */
const NOTE_EVERY_MS = 60_000;

type Options = {
  readonly directory: Pick<KeyDirectory, 'find' | 'watch'>;
  readonly uses: KeyUses;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
  /** A configured key of any form, which belongs to an admin of the operator's tenant. */
  readonly configured?: string | undefined;
};

/** Authenticates API keys. Hashes are compared in constant time. */
export class KeyAccess implements Access {
  private readonly noted = new Map<KeyId, number>();
  private readonly configured: string | undefined;

  constructor(private readonly options: Options) {
    this.configured = options.configured === undefined ? undefined : hashOf(options.configured);
  }

  async authenticate(secret: string): Promise<Principal | undefined> {
    const hash = hashOf(secret);
    if (this.configured !== undefined && isSame(hash, this.configured)) {
      const role = 'admin';
      const permissions = permissionsOf(role);
      return { tenant: OPERATOR_TENANT, actor: Actor('key:bootstrap'), role, permissions };
    }
    const keyId = keyIdIn(secret);
    const key = keyId && this.options.directory.find(keyId);
    if (!key || !isSame(hash, key.hash)) return undefined;
    this.note(key.tenant, key.keyId);
    const { tenant, role, permissions } = key;
    return { tenant, actor: Actor(`key:${key.keyId}`), role, permissions };
  }

  watch(secret: string, end: () => void): () => void {
    const keyId = keyIdIn(secret);
    const isConfigured = this.configured !== undefined && isSame(hashOf(secret), this.configured);
    return isConfigured || keyId === undefined ? () => undefined : this.options.directory.watch(keyId, end);
  }

  /** Records the use of a key in the background; a failure does not affect the request. */
  private note(tenant: TenantId, keyId: KeyId): void {
    const now = performance.now();
    const last = this.noted.get(keyId);
    if (last !== undefined && now - last < NOTE_EVERY_MS) return;
    this.noted.set(keyId, now);
    this.options.uses.note(tenant, keyId, this.options.clock.now()).catch((error: unknown) => {
      this.noted.delete(keyId);
      this.options.onError(error);
    });
  }
}

const isSame = (a: string, b: string): boolean => timingSafeEqual(Buffer.from(a), Buffer.from(b));
