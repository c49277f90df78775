import type { TextMatch, TextMatches } from '@app/contract';
import { type Block, isReasoning } from '@app/domain';
import { AppError, type MessageId, Revision, toWellFormed } from '@app/kernel';
import { QueryOnSession } from '../../command-and-query.js';
import { Handler, HandlesQuery } from '../../handlers.js';
import { requireOpen, type SessionRef } from '../../sessions/session-ref.js';
import { findMessage, type MessageSources, messagesBefore } from './find-message.js';
import { blockText } from './read-message.js';

export type SearchOptions = {
  /** Most matches; {@link SEARCH_MATCHES_DEFAULT} by default. */
  readonly limit?: number;
  /** Searches the messages before this one; from the newest by default. */
  readonly before?: MessageId;
};

/** Searches the original messages of a session for a text, newest first: case and the kind of white space do not matter. */
export class SearchMessages extends QueryOnSession<TextMatches, { readonly text: string } & SearchOptions> {}

export const SEARCH_MATCHES_DEFAULT = 20;
export const SEARCH_MATCHES_MAX = 100;
/** Characters of a searched text. */
export const SEARCH_TEXT_MAX = 500;
/** Characters. */
const EXCERPT_AROUND = 160;
/** One call reads at most so many messages and characters, so that its time does not grow with the session. */
const MESSAGES_MAX = 5_000;
const CHARACTERS_MAX = 16_000_000;

@HandlesQuery(SearchMessages)
export class SearchMessagesHandler extends Handler<SearchMessages, never, MessageSources> {
  /** @throws {AppError} `session-not-found`, `message-not-found`, `invalid-settings`. */
  async execute({ ref, input: { text, ...options } }: SearchMessages): Promise<TextMatches> {
    const { limit = SEARCH_MATCHES_DEFAULT, before } = options;
    const pattern = patternOf(text);
    const start = await this.startOf(ref, before);
    const matches: TextMatch[] = [];
    let [searched, characters] = [0, 0];
    for await (const { ref: at, revision, recordedAt, data } of messagesBefore(
      this.parts,
      start.ref,
      start.revision,
    )) {
      const { id, role, blocks } = data.message;
      searched += 1;
      for (const [block, words] of blocks.entries()) {
        const searchable = searchableText(words);
        characters += searchable.length;
        const excerpt = excerptOf(searchable, pattern);
        if (excerpt !== undefined)
          matches.push({ session: at.session, message: id, revision, recordedAt, role, block, excerpt });
      }
      if (matches.length >= limit || searched >= MESSAGES_MAX || characters >= CHARACTERS_MAX)
        return { matches, searched, before: id };
    }
    return { matches, searched, before: null };
  }

  private async startOf(
    ref: SessionRef,
    before: MessageId | undefined,
  ): Promise<{ readonly ref: SessionRef; readonly revision: Revision }> {
    if (before !== undefined) return findMessage(this.parts, ref, before);
    const { state, revision } = await this.parts.sessions.load(ref);
    requireOpen(ref, state);
    return { ref, revision: Revision((revision ?? 0) + 1) };
  }
}

/** Returns a linear pattern of literal words with any white space between them. @throws {AppError} `invalid-settings`. */
const patternOf = (text: string): RegExp => {
  const words = text.split(/\s+/).filter((word) => word !== '');
  if (words.length === 0 || text.length > SEARCH_TEXT_MAX)
    throw new AppError('invalid-settings', `give a text of 1 to ${SEARCH_TEXT_MAX} characters to search for`);
  return new RegExp(words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('\\s+'), 'iu');
};

/** Returns the text of a block. Reasoning is left out, as in every recall, and so are the bytes of images and documents. */
const searchableText = (block: Block): string =>
  isReasoning(block) || block.type === 'image' || block.type === 'document' ? '' : blockText(block);

const excerptOf = (text: string, pattern: RegExp): string | undefined => {
  const found = pattern.exec(text);
  if (!found) return undefined;
  const start = Math.max(0, found.index - EXCERPT_AROUND);
  return toWellFormed(text.slice(start, found.index + found[0].length + EXCERPT_AROUND));
};
