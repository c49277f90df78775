import { setTimeout as delay } from 'node:timers/promises';
import { countsAt, type TenantEvent } from '@app/domain';
import { AppError, type KeyId, type LogPosition, type TenantId, tenantOf } from '@app/kernel';
import type { Clock, KeyRecord, KeyRecords, LogItem, Subscriptions, UnreadableEvent } from '@app/ports';

/** Milliseconds without contact to the event store after which all keys are rejected, since they may have been revoked. */
const DEAF_MAX_MS = 10_000;
const RESUME_AFTER_MS = 250;
const RESUME_AFTER_MAX_MS = 2_000;

type Options = {
  readonly subscriptions: Pick<Subscriptions, 'catchUpTenants'>;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
};

/** Maximum delay of a Node timer. */
const TIMER_MAX_MS = 2 ** 31 - 1;
type KeyWatch = { readonly end: () => void; timer: NodeJS.Timeout | undefined };

/**
 * All keys of all tenants in memory, updated by a subscription: a key revoked in another process is rejected within moments,
 * and changes by this process apply at once.
 */
export class KeyDirectory {
  private readonly keys = new Map<KeyId, KeyRecord>();
  private deafSince: number | undefined;
  /** Tenants with an undecodable event, which may have revoked a key. */
  private readonly unsure = new Set<TenantId>();

  private readonly watches = new Map<KeyId, Set<KeyWatch>>();

  constructor(private readonly options: Options) {}

  /** Calls `end` once when the key becomes invalid, or at once if it is. @returns a function that ends the watch. */
  watch(keyId: KeyId, end: () => void): () => void {
    const watch: KeyWatch = { end, timer: undefined };
    const watches = this.watches.get(keyId) ?? new Set();
    this.watches.set(keyId, watches.add(watch));
    this.look(keyId, watch);
    return () => this.unwatch(keyId, watch);
  }

  private unwatch(keyId: KeyId, watch: KeyWatch): void {
    clearTimeout(watch.timer);
    const watches = this.watches.get(keyId);
    watches?.delete(watch);
    if (watches?.size === 0) this.watches.delete(keyId);
  }

  /** Ends the watch of an invalid key, or schedules its expiry. */
  private look(keyId: KeyId, watch: KeyWatch): void {
    clearTimeout(watch.timer);
    const now = this.options.clock.now();
    const key = this.keys.get(keyId);
    if (!key || this.unsure.has(key.tenant) || !countsAt(key, now)) {
      this.unwatch(keyId, watch);
      watch.end();
      return;
    }
    if (key.expiresAt === null) return;
    const ms = Math.min(Math.max(Date.parse(key.expiresAt) - Date.parse(now), 0) + 1, TIMER_MAX_MS);
    watch.timer = setTimeout(() => this.look(keyId, watch), ms);
    watch.timer.unref();
  }

  private lookAll(keyId: KeyId): void {
    for (const watch of [...(this.watches.get(keyId) ?? [])]) this.look(keyId, watch);
  }

  /** Starts with the rows of the read model, resolves when all later events are applied, and follows until `signal` aborts. */
  async start({ keys, position }: KeyRecords, signal: AbortSignal): Promise<void> {
    for (const key of keys) this.keys.set(key.keyId, key);
    await new Promise<void>((resolve) => void this.follow(position, signal, resolve).then(resolve));
  }

  /**
   * Returns the key of an ID if it is valid.
   *
   * @throws {AppError} `event-store-unavailable` if its validity is unknown; `corrupt-event` if an event of its tenant cannot
   *   be decoded.
   */
  find(keyId: KeyId): KeyRecord | undefined {
    if (this.deafSince !== undefined && performance.now() - this.deafSince > DEAF_MAX_MS) {
      throw new AppError(
        'event-store-unavailable',
        'the event store does not answer, so revoked keys are unknown: try again later',
      );
    }
    const key = this.keys.get(keyId);
    if (key && this.unsure.has(key.tenant)) {
      throw new AppError(
        'corrupt-event',
        'an event of the tenant cannot be decoded, so its keys are rejected: update the service',
      );
    }
    return key && countsAt(key, this.options.clock.now()) ? key : undefined;
  }

  get isEmpty(): boolean {
    return this.keys.size === 0;
  }

  /** Applies events of a tenant. Idempotent. */
  hear(tenant: TenantId, events: readonly TenantEvent[]): void {
    for (const event of events) this.apply(tenant, event);
  }

  private apply(tenant: TenantId, event: TenantEvent): void {
    if (event.type === 'ApiKeyIssued') this.add(tenant, event.data.key);
    if (event.type === 'ApiKeyRevoked') this.change(event.data.keyId, { revoked: true });
    if (event.type !== 'ApiKeyRotated') return;
    this.change(event.data.keyId, { expiresAt: event.data.validUntil });
    this.add(tenant, event.data.replacement);
  }

  /** Adds a key. A known one is unchanged: an older event must not restore a revoked key. */
  private add(
    tenant: TenantId,
    { keyId, role, permissions, hash, expiresAt }: Omit<KeyRecord, 'tenant' | 'revoked'>,
  ): void {
    if (this.keys.has(keyId)) return;
    this.keys.set(keyId, { keyId, role, permissions, hash, expiresAt, tenant, revoked: false });
  }

  private change(keyId: KeyId, changed: Partial<KeyRecord>): void {
    const key = this.keys.get(keyId);
    if (!key) return;
    this.keys.set(keyId, { ...key, ...changed });
    this.lookAll(keyId);
  }

  private async follow(
    from: LogPosition | 'start',
    signal: AbortSignal,
    caughtUp: () => void,
  ): Promise<void> {
    let at = from;
    for (let failures = 0; !signal.aborted; failures += 1) {
      try {
        for await (const item of this.options.subscriptions.catchUpTenants(at, signal)) {
          at = this.take(item, at);
          failures = 0;
          if (item.kind === 'caught-up') {
            this.deafSince = undefined;
            caughtUp();
          }
        }
      } catch (error) {
        this.options.onError(error);
      }
      if (signal.aborted) return;
      this.deafSince ??= performance.now();
      const ms = Math.min(RESUME_AFTER_MS * 2 ** failures, RESUME_AFTER_MAX_MS);
      await delay(ms, undefined, { signal }).catch(() => undefined);
    }
  }

  private take(item: LogItem<TenantEvent>, at: LogPosition | 'start'): LogPosition | 'start' {
    if (item.kind === 'caught-up') return at;
    if (item.kind === 'checkpoint') return item.position;
    if (item.kind === 'unreadable') return this.distrust(item.unreadable);
    const { stream, event, position } = item.recorded;
    const tenant = tenantOf(stream);
    if (tenant) this.apply(tenant, event);
    return position;
  }

  /** Rejects all keys of the tenant of an undecodable event until a newer version reads it; other tenants are unaffected. */
  private distrust({ stream, position, error }: UnreadableEvent): LogPosition {
    const tenant = tenantOf(stream);
    if (tenant) {
      this.unsure.add(tenant);
      for (const keyId of [...this.watches.keys()])
        if (this.keys.get(keyId)?.tenant === tenant) this.lookAll(keyId);
    }
    this.options.onError(error);
    return position;
  }
}
