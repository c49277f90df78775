import { type MessageId, type Revision, sumTokens, Tokens } from '@app/kernel';
import { ERASED_TOKENS, type Message } from '../message/index.js';
import { familyOf } from './grow.js';

/** A message at its position in the session. */
export type Entry = {
  readonly message: Message;
  readonly revision: Revision;
  /** The message as a part of a request, and each of its blocks. */
  readonly tokens: Tokens;
  readonly blockTokens: readonly Tokens[];
  /** Turn number from 1; 0 before the first turn. */
  readonly turn: number;
  /** Number of messages appended before it. */
  readonly position: number;
};

/** An entry as requests carry it: of an erased message only markers are left, which have no more than a few tokens. */
export const asRead = (entry: Entry): Entry => {
  if (!entry.message.erased) return entry;
  const blockTokens = entry.blockTokens.map((tokens) => Tokens(Math.min(tokens, ERASED_TOKENS)));
  const removed = sumTokens(entry.blockTokens) - sumTokens(blockTokens);
  return { ...entry, blockTokens, tokens: Tokens(Math.max(0, entry.tokens - removed)) };
};

/**
 * An index of the messages of a context. It is updated with each list it is queried for, in time linear in the
 * messages that differ from the previous list, so that an append does not read the whole context.
 */
class EntryIndex {
  readonly #entries: Entry[] = [];
  /** The first index of each message id. */
  readonly #places = new Map<MessageId, number>();
  /** Counted tokens of the messages up to each place, that one included. */
  readonly #tokensUpTo: number[] = [];
  readonly #disposable: number[] = [];

  /** Makes the index that of `entries`, a list of the same family. */
  follow(entries: readonly Entry[]): this {
    let same = Math.min(this.#entries.length, entries.length);
    while (same > 0 && this.#entries[same - 1] !== entries[same - 1]) same -= 1;
    while (this.#entries.length > same) this.#removeLast();
    for (const entry of entries.slice(same)) this.#add(entry);
    return this;
  }

  get(id: MessageId): Entry | undefined {
    const place = this.#places.get(id);
    return place === undefined ? undefined : this.#entries[place];
  }

  get tokens(): number {
    return this.#tokensUpTo.at(-1) ?? 0;
  }

  get disposable(): readonly number[] {
    return this.#disposable;
  }

  #add(entry: Entry): void {
    const place = this.#entries.length;
    this.#tokensUpTo.push(this.tokens + entry.tokens);
    this.#entries.push(entry);
    const { id, reasoning } = entry.message;
    if (!this.#places.has(id)) this.#places.set(id, place);
    if (reasoning === 'disposable') this.#disposable.push(place);
  }

  #removeLast(): void {
    const entry = this.#entries.pop();
    const place = this.#entries.length;
    this.#tokensUpTo.pop();
    if (entry && this.#places.get(entry.message.id) === place) this.#places.delete(entry.message.id);
    if (this.#disposable.at(-1) === place) this.#disposable.pop();
  }
}

const INDEXES = new WeakMap<object, EntryIndex>();

const indexOf = (entries: readonly Entry[]): EntryIndex => {
  const family = familyOf(entries);
  const index = INDEXES.get(family) ?? new EntryIndex();
  INDEXES.set(family, index);
  return index.follow(entries);
};

/** Returns the message of an ID; the first where several have it. */
export const entryById = (entries: readonly Entry[], id: MessageId): Entry | undefined =>
  indexOf(entries).get(id);

/** Returns the counted tokens of messages as they were appended. */
export const tokensOf = (entries: readonly Entry[]): number => indexOf(entries).tokens;

/** Returns the places of the messages whose reasoning is marked as disposable, oldest first. */
export const disposablePlaces = (entries: readonly Entry[]): readonly number[] => [
  ...indexOf(entries).disposable,
];
