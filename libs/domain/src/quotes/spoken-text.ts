import { isOfUser, isText, type Message } from '../message/index.js';
import { isSummaryText, leadingForeign, withoutForeign } from './foreign-text.js';

/** Between these stand the files that a message names, over several texts of it. */
const FILES_BEGIN = /^--- Content from referenced files ---$/m;
const FILES_END = /^--- End of content ---$/m;

/**
 * What a message of the user has in it: what the user says, what was put beside that for whoever reads it, and what an
 * agent has written of the session before.
 */
export type UserTexts = Readonly<Record<'spoken' | 'attached' | 'summaries', readonly string[]>>;

/**
 * Block by block; all are empty for a message that is not of the user: no tool result, and nothing that this engine has put
 * in. What a transcript marks as inserted is not the user's; in other texts, what stands in a known form is not.
 */
export const userTextsOf = (message: Message): UserTexts => parted(message).texts;

/** What the user says in each block of a message, by its index; `undefined` for blocks that are no text of the user's. */
export const spokenBlocks = (message: Message): readonly (string | undefined)[] => parted(message).byBlock;

const parted = (
  message: Message,
): { readonly texts: UserTexts; readonly byBlock: readonly (string | undefined)[] } => {
  const byBlock: (string | undefined)[] = [];
  const spoken: string[] = [];
  const attached: string[] = [];
  const summaries: string[] = [];
  const inserted = new Set(message.inserted);
  let isInFiles = false;
  for (const [at, block] of isOfUser(message) ? message.blocks.entries() : []) {
    if (!isText(block)) continue;
    const { text } = block;
    const own: string[] = [];
    let rest = text;
    if (!isInFiles && isSummaryText(text)) {
      summaries.push(text);
      byBlock[at] = '';
      continue;
    }
    if (inserted.has(at)) {
      attached.push(text);
      byBlock[at] = '';
      continue;
    }
    if (!isInFiles) {
      const foreign = leadingForeign(text);
      if (foreign > 0) attached.push(text.slice(0, foreign));
      rest = text.slice(foreign);
    }
    while (rest !== '') {
      const mark = (isInFiles ? FILES_END : FILES_BEGIN).exec(rest);
      (isInFiles ? attached : own).push(rest.slice(0, mark?.index));
      if (mark) isInFiles = !isInFiles;
      rest = mark ? rest.slice(mark.index + mark[0].length) : '';
    }
    const said = withoutForeign(own.join('\n'));
    spoken.push(said.own);
    byBlock[at] = said.own;
    attached.push(...said.foreign);
  }
  return { texts: { spoken, attached, summaries }, byBlock };
};

/** What the user says in a message, block by block. */
export const spokenTexts = (message: Message): readonly string[] => userTextsOf(message).spoken;
