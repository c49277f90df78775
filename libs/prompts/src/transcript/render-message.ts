import { createHash } from 'node:crypto';
import {
  type Block,
  isReasoning,
  isText,
  isToolResult,
  isToolUse,
  type Message,
  resultText,
  spokenBlocks,
  type ToolResultBlock,
} from '@app/domain';
import { headAndTail } from '@app/kernel';

export type RenderOptions = {
  /** Whether tool outputs are told, or only those that failed. */
  readonly toolOutputs: 'summarized' | 'dropped';
  /** Characters of one call, result or thought at most, and a quarter of those of a text: its beginning and its end are told. */
  readonly blockMax: number;
};

/** Hexadecimal digits of a mark. */
const MARK_DIGITS = 12;

/**
 * What tells the heads of messages from lines in them that look alike: a digest of all messages that are shown, which none of
 * them can hold.
 */
export const headMark = (messages: readonly Message[]): string =>
  createHash('sha256').update(JSON.stringify(messages)).digest('hex').slice(0, MARK_DIGITS);

/**
 * A message as a piece of a transcript, under its role and id. Nothing in it can end the transcript that it stands in.
 *
 * @param mark stands in its head, where there are several.
 */
export const renderMessage = (message: Message, options: RenderOptions, mark = ''): string => {
  const { id, role, synthetic, blocks } = message;
  const by = synthetic === 'continuation' ? 'engine' : role;
  const spoken = role === 'user' ? spokenBlocks(message) : [];
  const lines = blocks.flatMap((block, at) => [
    // What an agent has put in is in view, and is nobody's demand.
    ...(isText(block) && spoken[at]?.trim() === '' && block.text.trim() !== '' ? [INSERTED] : []),
    ...renderBlock(block, options),
  ]);
  return guarded(`[${mark && `${mark} `}${by} ${id}]\n${lines.join('\n')}`.toWellFormed());
};

export const renderMessages = (messages: readonly Message[], options: RenderOptions, mark: string): string =>
  messages.map((message) => renderMessage(message, options, mark)).join('\n\n');

/** Stands before a text in the user's place of which no word is the user's. */
const INSERTED = '(inserted by the agent’s program, not said by the user:)';

const renderBlock = (block: Block, options: RenderOptions): readonly string[] => {
  const { blockMax } = options;
  if (isText(block)) return [headAndTail(block.text, blockMax * 4)];
  if (isToolUse(block))
    return [`(calls ${block.name}: ${headAndTail(JSON.stringify(block.input), blockMax)})`];
  if (isToolResult(block)) return renderResult(block, options);
  if (isReasoning(block))
    return block.type === 'thinking' ? [`(thinks: ${headAndTail(block.thinking, blockMax)})`] : [];
  return [`(${block.type})`];
};

const renderResult = (
  block: ToolResultBlock,
  { toolOutputs, blockMax }: RenderOptions,
): readonly string[] => {
  const failed = block.is_error === true;
  if (toolOutputs === 'dropped' && !failed) return ['(a tool returned something that is left out here)'];
  return [`(a tool ${failed ? 'failed' : 'returned'}: ${headAndTail(resultText(block), blockMax)})`];
};

/** The marks that a transcript is framed by. */
const FRAMES = /<(?=[\s\p{Cf}/]*(?:transcript|kept|earlier-record|first-kept)(?![\w-]))/giu;

/** A text in which none of them begins or ends, however it is spelled. */
export const guarded = (text: string): string => text.replace(FRAMES, '<\\');
