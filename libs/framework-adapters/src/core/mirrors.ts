import type { Block, Message } from '@palimpsest/client';
import { blocksOf, isToolUse } from '@palimpsest/client';
import type { AdapterOptions } from './options.js';
import { noOutages, type OutageCount } from './outage.js';
import { hasContent } from './parts.js';
import type { Piece } from './pieces.js';
import { SessionMirror } from './session-mirror.js';

const MIRRORS_MAX = 1_000;

/** The mirrors of a process by session; the least recently used ones end when they miss nothing. */
export class Mirrors {
  private readonly mirrors = new Map<string, SessionMirror>();
  /** Shared by everything of an adapter that calls the service. */
  readonly outages: OutageCount = noOutages();

  constructor(private readonly options: AdapterOptions) {}

  /** Returns the mirror of a session, by default that of the options. */
  of(session = this.options.session): SessionMirror {
    const mirror = this.mirrors.get(session) ?? new SessionMirror({ ...this.options, session }, this.outages);
    this.mirrors.delete(session);
    this.mirrors.set(session, mirror);
    for (const [name, { missing }] of this.mirrors) {
      if (this.mirrors.size <= MIRRORS_MAX) break;
      if (missing === 0 && name !== session) this.mirrors.delete(name);
    }
    return mirror;
  }

  /** Appends everything that the service missed. Resolves with whether it has everything now. */
  async flush(): Promise<boolean> {
    const flushed: boolean[] = [];
    for (const mirror of this.mirrors.values()) flushed.push(await mirror.flush());
    return flushed.every((isComplete) => isComplete);
  }
}

/** A message of a framework and its form in the API. */
export type Paired<Own> = { readonly own: Own; readonly message: Message };

/** Pairs each message of a framework with its form in the API; those without content have none. */
export const pair = <Own>(
  own: readonly Own[],
  convert: (own: Own) => readonly Message[],
): readonly Paired<Own>[] =>
  own.flatMap((one) =>
    convert(one)
      .filter(hasContent)
      .map((message) => ({ own: one, message })),
  );

/** Returns the context as messages of the framework. `convert` makes the ones that the service wrote. */
export const handOver = <Own>(
  pieces: readonly Piece[],
  paired: readonly Paired<Own>[],
  convert: (message: Message) => readonly Own[],
): readonly Own[] => {
  const handed = pieces.flatMap((piece): readonly (Own | undefined)[] =>
    'own' in piece ? [paired[piece.own]?.own] : convert(piece.message),
  );
  return handed.filter((one) => one !== undefined);
};

/** Returns the names of the called tools by the ID of the call, which some frameworks want with each result. */
export const toolNames = (messages: readonly Message[]): ReadonlyMap<string, string> =>
  new Map(
    messages
      .flatMap(({ content }): readonly Block[] => blocksOf(content))
      .filter(isToolUse)
      .map(({ id, name }) => [id, name]),
  );
