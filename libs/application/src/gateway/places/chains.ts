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

/** A history up to one of its messages. */
export type Link = { readonly chain: Digest; readonly id: MessageId };

/**
 * Returns the digest of the history up to each message, and the ID of the message. Clients send the whole history each time, so
 * hashing yields to the event loop.
 */
export const linksOf = async (
  seed: Digest,
  messages: readonly ClientMessage[],
  named: NamedItems,
  digester: Digester,
): Promise<readonly Link[]> => {
  const key = digester('');
  const slices = new Slices();
  const links: Link[] = [];
  for (const message of messages) {
    const before = links.at(-1)?.chain ?? seed;
    const known = LINKS.get(message);
    if (known?.before === before && known.key === key) {
      links.push(known);
      continue;
    }
    const digests: Digest[] = [];
    let isNamed = false;
    for (const say of message.says) {
      const said = say();
      const isReference = typeof said === 'object';
      const digest = isReference ? digestNamed(said, named) : said === undefined ? said : digester(said);
      if (digest !== undefined) digests.push(digest);
      isNamed ||= isReference;
      if (slices.isOver) await slices.next();
    }
    const chain = chainAfter(before, digests);
    const link = { key, before, chain, id: messageIdOf(chain) };
    // The contents that names stand for may change.
    if (!isNamed) LINKS.set(message, link);
    links.push(link);
  }
  return links;
};

const digestNamed = ({ item }: { readonly item: string }, named: NamedItems): Digest | undefined =>
  named.has(item) ? named.get(item) : digestOf(`item ${item}`);

/**
 * Links of messages that a request has again, with the digest of the empty text, which identifies the key, and the digest of the
 * history before them.
 */
const LINKS = new WeakMap<ClientMessage, Link & { readonly key: Digest; readonly before: Digest }>();

/** Returns the ID of a message, which is derived from the history up to it. */
export const messageIdOf = (chain: Digest): MessageId => MessageId(`g-${chain.slice(0, 32)}`);
