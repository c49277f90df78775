import type { TenantId } from '@app/kernel';
import type { ConversationPlace, Conversations } from '@app/ports';
import type { Digest } from './chains.js';

type Found = ConversationPlace & { readonly chain: Digest };

/** Cached entries; others are looked up. */
const PLACES_MAX = 20_000;
/** Messages of the first lookup, since most histories continue from a recent one. */
const FIRST_LOOK = 16;

/** Maps histories to sessions, cached in this process and stored for all processes. */
export class KnownPlaces {
  private readonly own = new Map<string, ConversationPlace>();

  constructor(private readonly shared: Conversations) {}

  /**
   * Returns the first known one of these histories, which are sorted newest first.
   *
   * @param isCurrent whether a cached entry is still valid; other processes may have changed it.
   */
  async find(
    tenant: TenantId,
    chains: readonly Digest[],
    isCurrent: (place: ConversationPlace) => Promise<boolean>,
  ): Promise<Found | undefined> {
    const newest = chains.slice(0, FIRST_LOOK);
    for (const chain of newest) {
      const place = this.own.get(keyOf(tenant, chain));
      if (!place) continue;
      if (await isCurrent(place)) return { ...place, chain };
      break;
    }
    return (
      (await this.shared.find(tenant, newest)) ?? (await this.shared.find(tenant, chains.slice(FIRST_LOOK)))
    );
  }

  /** @throws {AppError} `postgres-unavailable`. */
  async remember(...[tenant, session, places]: Parameters<Conversations['remember']>): Promise<void> {
    for (const { chain, messages } of places) {
      const key = keyOf(tenant, chain);
      this.own.delete(key);
      this.own.set(key, { session, messages });
    }
    for (const [oldest] of this.own) {
      if (this.own.size <= PLACES_MAX) break;
      this.own.delete(oldest);
    }
    await this.shared.remember(tenant, session, places);
  }
}

const keyOf = (tenant: TenantId, chain: Digest): string => `${tenant} ${chain}`;
