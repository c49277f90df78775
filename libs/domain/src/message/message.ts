import type { IsoTime, MessageId, ModelName } from '@app/kernel';
import {
  type Block,
  isReasoning,
  isText,
  isToolResult,
  isToolUse,
  type ToolResultBlock,
  type ToolUseBlock,
} from './blocks.js';
import type { OfSubjects } from './subjects.js';

export type Role = 'user' | 'assistant' | 'system';

/** One entry of a session. */
export type Message = OfSubjects & {
  readonly id: MessageId;
  readonly role: Role;
  readonly blocks: readonly Block[];
  /** The model that wrote it, if known. Reasoning is bound to it. */
  readonly model?: ModelName;
  /** The time of writing, if it differs from the time of recording. */
  readonly createdAt?: IsoTime;
  /**
   * Not part of the conversation: starts no turn. A `continuation` is written by this engine in the user's place and
   * is not user text; a `restated` message repeats older content that an imported compaction kept.
   */
  readonly synthetic?: 'continuation' | 'restated';
  /** Set by the caller: the reasoning is useless after its turn. Later requests omit it, and no summarizer reads it. */
  readonly reasoning?: 'disposable';
  /**
   * The form of the message in the history of a gateway client, if it differs: absent, or without calls that the
   * gateway answered. Requests are composed from the recorded form.
   */
  readonly clientHas?: 'nothing' | 'another-form';
  /** Blocks, by their index, that the agent's program has put into a message of the user's: they are not the user's words. */
  readonly inserted?: readonly number[];
};

export const toolCallsOf = (message: Message): readonly ToolUseBlock[] =>
  message.role === 'assistant' ? toolsOf(message).calls : NO_CALLS;
export const toolResultsOf = (message: Message): readonly ToolResultBlock[] =>
  message.role === 'user' ? toolsOf(message).results : NO_RESULTS;
const NO_CALLS: readonly ToolUseBlock[] = [];
const NO_RESULTS: readonly ToolResultBlock[] = [];

type Tools = { readonly calls: readonly ToolUseBlock[]; readonly results: readonly ToolResultBlock[] };
const NO_TOOLS: Tools = { calls: NO_CALLS, results: NO_RESULTS };
/** Calls and results of blocks: the rules ask for them once for each of the results. */
const toolsOf = ({ blocks }: Message): Tools => {
  const known = TOOLS.get(blocks);
  if (known) return known;
  const [calls, results] = [blocks.filter(isToolUse), blocks.filter(isToolResult)];
  const tools = calls.length + results.length === 0 ? NO_TOOLS : { calls, results };
  TOOLS.set(blocks, tools);
  return tools;
};
const TOOLS = new WeakMap<readonly Block[], Tools>();
export const hasReasoning = (message: Message): boolean => message.blocks.some(isReasoning);

/** Whether the message starts a turn: one that the user wrote, and that holds more than tool results. */
export const startsTurn = (message: Message): boolean =>
  message.role === 'user' && !message.synthetic && message.blocks.some((block) => !isToolResult(block));

/** Whether the message is in the user's place, and of the user: not by this engine. */
export const isOfUser = ({ role, synthetic }: Pick<Message, 'role' | 'synthetic'>): boolean =>
  role === 'user' && synthetic !== 'continuation';

/** Returns the text blocks of a message, joined by line breaks. */
export const textOf = (message: Message): string =>
  message.blocks
    .filter(isText)
    .map((block) => block.text)
    .join('\n');

/** Frequently checked properties of a message as bits, because reading the blocks is expensive in long sessions. */
export const TRAIT = {
  isSpoken: 1,
  startsTurn: 2,
  callsTools: 4,
  holdsResults: 8,
  hasReasoning: 16,
} as const;

/** The traits of a message together. */
export type Traits = number;

/** Calls belong to the assistant, results to the user; `isSpoken` holds for assistant messages. */
export const traitsOf = ({ role, blocks }: Message): Traits => {
  let traits = role === 'assistant' ? TRAIT.isSpoken : 0;
  for (const block of blocks) {
    if (isReasoning(block)) traits |= TRAIT.hasReasoning;
    if (role === 'assistant') traits |= isToolUse(block) ? TRAIT.callsTools : 0;
    else if (role === 'user') traits |= isToolResult(block) ? TRAIT.holdsResults : TRAIT.startsTurn;
  }
  return traits;
};

/** @param trait one of `TRAIT`. */
export const hasTrait = (traits: Traits | undefined, trait: Traits): boolean => ((traits ?? 0) & trait) !== 0;
