import type { Digest } from '@app/formats';
import type { TenantId } from '@app/kernel';
import type { ConversationPlace, Conversations } from '@app/ports';

type Found = ConversationPlace & { readonly chain: Digest };

/** Places kept at hand. What is not among them, or is not so any more, is looked up. */
const PLACES_MAX = 20_000;
/** A history mostly goes on from one of its newest messages. */
const FIRST_LOOK = 16;

/** Where histories have their places, by the memory of this process, and by that of all of them. */
export class KnownPlaces {
  private readonly own = new Map<string, ConversationPlace>();

  constructor(private readonly shared: Conversations) {}

  /**
   * Of these histories, newest first, the newest that is known.
   *
   * @param isCurrent tells whether what this process remembers is still so: others may know better.
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
