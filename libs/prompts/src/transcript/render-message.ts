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
  /** Whether to show all tool outputs, or only failed ones. */
  readonly toolOutputs: 'summarized' | 'dropped';
  /**
   * Maximum characters of a call, result or reasoning block, and a quarter of those of a text; longer ones keep head
   * and tail.
   */
  readonly blockMax: number;
};

/** Hex digits of a mark. */
const MARK_DIGITS = 12;

/**
 * Returns the mark that distinguishes message headers from lookalike lines: a digest of all shown messages, which
 * none of them can contain.
 */
export const headMark = (messages: readonly Message[]): string =>
  createHash('sha256').update(JSON.stringify(messages)).digest('hex').slice(0, MARK_DIGITS);

/**
 * Renders a message with role and id for a transcript. Escapes text that could end the transcript.
 * @param mark precedes the header, if not empty.
 */
export const renderMessage = (message: Message, options: RenderOptions, mark = ''): string => {
  const { id, role, synthetic, blocks } = message;
  const by = synthetic === 'continuation' ? 'engine' : role;
  const spoken = role === 'user' ? spokenBlocks(message) : [];
  const lines = blocks.flatMap((block, at) => [
    // Text that the agent inserted is visible, and not the user's request.
    ...(isText(block) && spoken[at]?.trim() === '' && block.text.trim() !== '' ? [INSERTED] : []),
    ...renderBlock(block, options),
  ]);
  return guarded(`[${mark && `${mark} `}${by} ${id}]\n${lines.join('\n')}`.toWellFormed());
};

export const renderMessages = (messages: readonly Message[], options: RenderOptions, mark: string): string =>
  messages.map((message) => renderMessage(message, options, mark)).join('\n\n');

/** Precedes text in a user message that contains none of the user's words. */
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

/** The delimiters of a transcript. */
const FRAMES = /<(?=[\s\p{Cf}/]*(?:transcript|kept|earlier-record|first-kept)(?![\w-]))/giu;

/** Escapes the delimiters in any spelling. */
export const guarded = (text: string): string => text.replace(FRAMES, '<\\');
