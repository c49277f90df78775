import { type ClientMessage, type Digest, digestOf, type WireName } from '@app/formats';
import { MessageId, Slices } from '@app/kernel';

/** Where a history begins: histories of different names are never taken for one another. */
export const seedOf = (wire: WireName, name: string | undefined): Digest =>
  digestOf(JSON.stringify([wire, name ?? null]));

/** The history that `before` is, with one more message. */
export const chainAfter = (before: Digest, digests: readonly Digest[]): Digest =>
  digestOf([before, ...digests].join(' '));

/** The history up to and including each message. A client sends all of it each time: digests are made in slices. */
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

/** The name of a message in its session: by it, whoever has the history finds the message there. */
export const messageIdOf = (chain: Digest): MessageId => MessageId(`g-${chain.slice(0, 32)}`);
