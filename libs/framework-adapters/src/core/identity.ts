import { createHash, createHmac, randomBytes } from 'node:crypto';
import { type Block, blocksOf, isText, isToolResult, isToolUse, type Message } from '@palimpsest/client';

/** What this process knows of a message to compare histories. It stays in memory: what is stored outlives erased content. */
export type Said = Pick<Message, 'role'> & { readonly digest: string };

export const saidIn = (message: Pick<Message, 'role' | 'content'>): Said => ({
  role: message.role,
  digest: createHash('sha256').update(essenceOf(message)).digest('base64'),
});

/** Digests of a whole history, which agents repeat with every request: only content that was not in the last one is hashed. */
export class HistoryDigests {
  private last: readonly { readonly texts: readonly string[]; readonly said: Said }[] = [];

  of(history: readonly Message[]): readonly Said[] {
    this.last = history.map((message, at) => {
      const known = this.last[at];
      return known && hasTexts(message, known.texts)
        ? known
        : { texts: textsOf(message), said: saidIn(message) };
    });
    return this.last.map(({ said }) => said);
  }
}

/** Strings that are equal for equal essences alone. Frameworks change messages in place, but not strings. */
const textsOf = (message: Message): readonly string[] => {
  const texts: string[] = [];
  everyText(message, (text) => texts.push(text) > 0);
  return texts;
};

/** Compares with {@link textsOf} a message, without making a list for it: most messages are those of the last history. */
const hasTexts = (message: Message, texts: readonly string[]): boolean => {
  let at = 0;
  const areEqual = everyText(message, (text) => {
    at += 1;
    return texts[at - 1] === text;
  });
  return areEqual && at === texts.length;
};

type Visit = (text: string) => boolean;

/** Whether `visit` returns `true` for each string of a message; stops at the first for which it does not. */
const everyText = ({ role, content }: Message, visit: Visit): boolean =>
  visit(role) && blocksOf(content).every((block) => everyTextIn(block, visit));

const everyTextIn = (block: Block, visit: Visit): boolean => {
  if (isReasoning(block)) return true;
  if (isText(block)) return visit('text') && visit(block.text);
  if (isToolUse(block)) return visit('call') && visit(block.id) && visit(block.name);
  if (!isToolResult(block)) return visit('block') && visit(JSON.stringify(block));
  const { tool_use_id: result, content = '' } = block;
  const isEach =
    visit('result') && visit(result) && blocksOf(content).every((one) => everyTextIn(one, visit));
  return isEach && visit('end');
};

/** Makes the ID of a message from its place, from 0, the ID before it and its content. */
export type MakeId = (place: number, before: string, said: Said) => string;

/** Hexadecimal digits in an ID behind its place. */
const ID_DIGITS = 16;

/**
 * Every process with the key makes the same IDs for the same history of a session, so that the service records once what two of
 * them append. Who lacks the key cannot confirm a guess of erased content by them. Without a key, IDs are random.
 */
export const makeIds =
  (key: string, session: string): MakeId =>
  (place, before, { digest }) => {
    const text = JSON.stringify([session, before, digest]);
    const name = key === '' ? randomBytes(ID_DIGITS) : createHmac('sha256', key).update(text).digest();
    return `m${place}-${name.toString('hex').slice(0, ID_DIGITS)}`;
  };

export const isSame = (a: Said, b: Said): boolean => a.digest === b.digest;

/** Returns the number of leading items that two lists have in common. */
export const commonOf = <Item, Other>(
  a: readonly Item[],
  b: readonly Other[],
  areEqual: (a: Item, b: Other) => boolean,
): number => {
  const differing = a.findIndex((one, at) => {
    const other = b[at];
    return other === undefined || !areEqual(one, other);
  });
  return differing < 0 ? a.length : differing;
};

/**
 * Returns the parts of a message that identify it. Frameworks parse arguments of calls, add provider metadata and drop
 * reasoning between an answer and the next history, so none of these is part of it.
 */
const essenceOf = ({ role, content }: Pick<Message, 'role' | 'content'>): string =>
  JSON.stringify([role, ...blocksOf(content).flatMap(partOf)]);

const isReasoning = ({ type }: Block): boolean => type === 'thinking' || type === 'redacted_thinking';

const partOf = (block: Block): readonly unknown[] => {
  if (isReasoning(block)) return [];
  if (isText(block)) return block.text.trim() === '' ? [] : [block.text];
  if (isToolUse(block)) return [{ call: block.id, name: block.name }];
  if (!isToolResult(block)) return [block];
  const { tool_use_id: result, content = '' } = block;
  return [{ result, content: blocksOf(content).flatMap(partOf) }];
};
