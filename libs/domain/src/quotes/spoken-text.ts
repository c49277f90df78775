import { isOfUser, isText, type Message } from '../message/index.js';
import { isSummaryText, leadingForeign, withoutForeign } from './foreign-text.js';

/** Marks around referenced files, possibly in several texts of a message. */
const FILES_BEGIN = /^--- Content from referenced files ---$/m;
const FILES_END = /^--- End of content ---$/m;

/** The parts of a user message: the user's own text, harness text, and an agent's summary of the session. */
export type UserTexts = Readonly<Record<'spoken' | 'attached' | 'summaries', readonly string[]>>;

/**
 * Returns the parts by block; all are empty for results and synthetic messages. Text that a transcript marks as
 * inserted is not the user's, nor is text in a known harness form.
 */
export const userTextsOf = (message: Message): UserTexts => parted(message).texts;

/** Returns the user's own text by block index; `undefined` for other blocks. */
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

/** Returns the user's own text by block. */
export const spokenTexts = (message: Message): readonly string[] => userTextsOf(message).spoken;
