import { type Block, blockFrom, hasCallNames, type Message, type Role, textBlock } from '@app/domain';
import { isShallow } from '@app/formats';
import { AppError, CALL_NAMES_RULE, isJsonObject, type Json, MessageId, readJson } from '@app/kernel';

/** One line of input: the messages to summarize and the budget, in tokens of four characters. */
export type ExtractQuestion = {
  /** ID of the caller, returned unchanged. */
  readonly id: Json;
  readonly budget: number;
  readonly messages: readonly Message[];
  readonly previousSummary?: string;
  readonly instructions?: string;
};

/** Minimum budget in tokens: the fixed headings of a summary, with one line under each. */
const BUDGET_MIN = 32;

/** @throws {AppError} `invalid-message` with the reason; the error never quotes the line. */
export const extractQuestion = (text: string): ExtractQuestion => {
  const value = parsed(text);
  if (!isJsonObject(value)) throw refused('it is no object');
  const { id, budget, messages, previousSummary, instructions } = value;
  if (id === undefined) throw refused('it has no id');
  if (!isShallow({ id })) throw refused('its id is nested too deep');
  if (typeof budget !== 'number' || !Number.isSafeInteger(budget) || budget < BUDGET_MIN)
    throw refused(`its budget is no whole number of at least ${BUDGET_MIN} tokens`);
  if (!Array.isArray(messages)) throw refused('it has no list of messages');
  return {
    id,
    budget,
    messages: messages.map(messageFrom),
    ...textOf({ previousSummary }),
    ...textOf({ instructions }),
  };
};

const textOf = <Name extends string>(
  member: Readonly<Record<Name, Json | undefined>>,
): Partial<Record<Name, string>> => {
  const texts: Partial<Record<Name, string>> = {};
  for (const name in member) {
    const value = member[name];
    if (typeof value === 'string') texts[name] = value;
    else if (value !== undefined) throw refused(`its ${name} is no text`);
  }
  return texts;
};

const parsed = (text: string): Json => {
  const read = readJson(text);
  if ('value' in read) return read.value;
  throw refused(`it ${read.fault}`);
};

const messageFrom = (value: Json, at: number): Message => {
  const where = `message ${at + 1}`;
  if (!isJsonObject(value)) throw refused(`${where} is no object`);
  if (!isShallow(value)) throw refused(`${where} is nested too deep`);
  const { id, role, content } = value;
  if (!isRole(role)) throw refused(`the role of ${where} is none of user, assistant and system`);
  // A message without an ID gets its index as the ID.
  const named = typeof id === 'string' ? idFrom(id, where) : MessageId(`m${at + 1}`);
  return { id: named, role, blocks: blocksFrom(content, where) };
};

const blocksFrom = (content: Json | undefined, where: string): readonly Block[] => {
  if (typeof content === 'string') return content === '' ? [] : [textBlock(content)];
  if (!Array.isArray(content)) throw refused(`${where} has no content: a text, or a list of blocks`);
  return content.map((part, at) => {
    const block = blockFrom(withInput(part));
    if (block && !hasCallNames(block)) throw refused(`block ${at + 1} of ${where}: ${CALL_NAMES_RULE}`);
    if (block) return block;
    throw refused(`block ${at + 1} of ${where} lacks a required member of its type`);
  });
};

/** Wraps the input of a tool call that is a string, as some agents send it, in an object. */
const withInput = (part: Json): Json =>
  isJsonObject(part) && part.type === 'tool_use' && !isJsonObject(part.input)
    ? { ...part, input: part.input === undefined ? {} : { input: part.input } }
    : part;

const idFrom = (id: string, where: string): MessageId => {
  try {
    return MessageId(id);
  } catch {
    throw refused(`the id of ${where} cannot be used`);
  }
};

const ROLES: readonly unknown[] = ['user', 'assistant', 'system'] satisfies Role[];
const isRole = (value: unknown): value is Role => ROLES.includes(value);

const refused = (why: string): AppError => new AppError('invalid-message', why);
