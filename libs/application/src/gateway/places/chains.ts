import { hash } from 'node:crypto';
import type { ClientMessage, WireName } from '@app/formats';
import { MessageId, Slices } from '@app/kernel';
import type { Digester } from '@app/ports';

/** Digest of a history, hexadecimal. It commits to keyed digests of contents, so it does not confirm a guess of them. */
export type Digest = string;

/** Digests of contents that a request names by the ids of items; `undefined` for an item without content. */
export type NamedItems = ReadonlyMap<string, Digest | undefined>;

/** Returns the SHA-256 of a text without content. */
export const digestOf = (text: string): Digest => hash('sha256', text, 'hex');

/** Returns the digest that a history starts with; sessions of different names never share histories. */
export const seedOf = (wire: WireName, name: string | undefined): Digest =>
  digestOf(JSON.stringify([wire, name ?? null]));

/** Returns the digest of a history extended by messages. @param digests keyed digests of their contents. */
export const chainAfter = (before: Digest, digests: readonly Digest[]): Digest =>
  digestOf([before, ...digests].join(' '));

/**
 * Returns the digest of the history up to each message. Clients send the whole history each time, so hashing yields to the
 * event loop.
 */
export const chainsOf = async (
  seed: Digest,
  messages: readonly ClientMessage[],
  named: NamedItems,
  digester: Digester,
): Promise<readonly Digest[]> => {
  const key = digester('');
  const digestIn = (say: ClientMessage['says'][number]): Digest | undefined => {
    const known = DIGESTS.get(say);
    if (known?.key === key) return known.digest;
    const said = say();
    if (typeof said === 'string') {
      const digest = digester(said);
      DIGESTS.set(say, { key, digest });
      return digest;
    }
    if (said === undefined) return undefined;
    return named.has(said.item) ? named.get(said.item) : digestOf(`item ${said.item}`);
  };
  const slices = new Slices();
  const chains: Digest[] = [];
  for (const { says } of messages) {
    const digests: Digest[] = [];
    for (const say of says) {
      const digest = digestIn(say);
      if (digest !== undefined) digests.push(digest);
      if (slices.isOver) await slices.next();
    }
    chains.push(chainAfter(chains.at(-1) ?? seed, digests));
  }
  return chains;
};

/** Digests of contents that a request has again, with the digest of the empty text, which identifies the key. */
const DIGESTS = new WeakMap<
  ClientMessage['says'][number],
  { readonly key: Digest; readonly digest: Digest }
>();

/** Returns the ID of a message, which is derived from the history up to it. */
export const messageIdOf = (chain: Digest): MessageId => MessageId(`g-${chain.slice(0, 32)}`);
