import { type ClientMessage, type Digest, digestOf, type WireName } from '@app/formats';
import { MessageId, Slices } from '@app/kernel';

/** Returns the digest that a history starts with; sessions of different names never share histories. */
export const seedOf = (wire: WireName, name: string | undefined): Digest =>
  digestOf(JSON.stringify([wire, name ?? null]));

/** Returns the digest of a history extended by messages. */
export const chainAfter = (before: Digest, digests: readonly Digest[]): Digest =>
  digestOf([before, ...digests].join(' '));

/**
 * Returns the digest of the history up to each message. Clients send the whole history each time, so hashing yields to the
 * event loop.
 */
export const chainsOf = async (
  seed: Digest,
  messages: readonly ClientMessage[],
): Promise<readonly Digest[]> => {
  const slices = new Slices();
  const chains: Digest[] = [];
  for (const { says } of messages) {
    const digests: Digest[] = [];
    for (const say of says) {
      const digest = say();
      if (digest !== undefined) digests.push(digest);
      if (slices.isOver) await slices.next();
    }
    chains.push(chainAfter(chains.at(-1) ?? seed, digests));
  }
  return chains;
};

/** Returns the ID of a message, which is derived from the history up to it. */
export const messageIdOf = (chain: Digest): MessageId => MessageId(`g-${chain.slice(0, 32)}`);
