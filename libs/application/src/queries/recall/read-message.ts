import type { StoredMessage } from '@app/contract';
import { type Block, isToolResult, isToolUse, type Message, resultText, toolCallsOf } from '@app/domain';
import { AppError, defined, type MessageId } from '@app/kernel';
import { QueryOnSession } from '../../command-and-query.js';
import { Handler, HandlesQuery } from '../../handlers.js';
import { type FoundMessage, findMessage, type MessageSources, messagesFrom } from './find-message.js';

/** A part of a message: a block by index, or the result of a call; optionally a range of its text in UTF-8 bytes or lines. */
export type MessagePart = {
  /** From 0. */
  readonly block?: number;
  /** ID of a call in the message, or of the call of a result in it. */
  readonly call?: string;
  readonly range?: TextRange;
};
/** `from` counts bytes from 0, or lines from 1. */
export type TextRange = { readonly unit: 'bytes' | 'lines'; readonly from: number; readonly count: number };

/** Reads an original message, or a part of it. */
export class ReadMessage extends QueryOnSession<
  StoredMessage,
  { readonly message: MessageId; readonly part: MessagePart }
> {}

/** Maximum distance of a result from its call, in messages. */
const RESULT_WITHIN = 500;

@HandlesQuery(ReadMessage)
export class ReadMessageHandler extends Handler<ReadMessage, never, MessageSources> {
  /** @throws {AppError} `session-not-found`, `message-not-found`, `invalid-settings`. */
  async execute({ ref, input: { message, part } }: ReadMessage): Promise<StoredMessage> {
    const named = await findMessage(this.parts, ref, message);
    const found = part.call === undefined ? named : await this.resultOf(named, part.call);
    const stored = storedOf(found);
    const at = blockAtShare(found.data.message, part);
    if (at === undefined) {
      if (part.range)
        throw new AppError('invalid-settings', 'a range requires a block or a call: give one of them');
      return stored;
    }
    const block = stored.content[at];
    if (!block) throw noSuchPart(found, part);
    if (!part.range) return { ...stored, content: [block], block: at };
    return { ...stored, content: [], block: at, part: partOf(blockText(block), part.range) };
  }

  /** Returns the message with the result of a call: the given one, or a later one. */
  private async resultOf(named: FoundMessage, call: string): Promise<FoundMessage> {
    const isAnswer = ({ data: { message } }: FoundMessage): boolean =>
      message.role === 'user' &&
      message.blocks.some((block) => isToolResult(block) && block.tool_use_id === call);
    if (isAnswer(named)) return named;
    if (!toolCallsOf(named.data.message).some(({ id }) => id === call)) throw noSuchPart(named, { call });
    let looked = 0;
    for await (const found of messagesFrom(this.parts, named)) {
      if (isAnswer(found)) return found;
      looked += 1;
      if (looked > RESULT_WITHIN) break;
    }
    return named; // The call has no result: return the call itself.
  }
}

const storedOf = ({ ref, revision, recordedAt, data }: FoundMessage): StoredMessage => {
  const { id, role, blocks, model, createdAt, synthetic, erased } = data.message;
  return {
    session: ref.session,
    id,
    revision,
    recordedAt,
    role,
    ...defined({ model, createdAt, synthetic }),
    countedTokens: data.tokens,
    content: blocks,
    ...(erased && { erased }),
  };
};

const blockAtShare = ({ blocks }: Message, { block, call }: MessagePart): number | undefined => {
  if (call === undefined) return block;
  const answer = blocks.findIndex((one) => isToolResult(one) && one.tool_use_id === call);
  return answer >= 0 ? answer : blocks.findIndex((one) => isToolUse(one) && one.id === call);
};

const noSuchPart = ({ ref, data }: FoundMessage, { block, call }: MessagePart): AppError => {
  const what = call === undefined ? `block ${block}` : `call "${call.slice(0, 200)}"`;
  const { id, blocks } = data.message;
  return new AppError(
    'message-not-found',
    `message "${id}" of session "${ref.session}" has no ${what}: it has ${blocks.length} blocks, counted from 0`,
  );
};

/** Returns the text of a block, or its JSON. */
export const blockText = (block: Block): string => {
  if (block.type === 'text' && typeof block.text === 'string') return block.text;
  if (block.type === 'thinking' && typeof block.thinking === 'string') return block.thinking;
  return isToolResult(block) ? resultText(block) : JSON.stringify(block);
};

type TextPart = NonNullable<StoredMessage['part']>;

/** Returns a range of a text; `from` and `count` describe the actual range. */
const partOf = (text: string, { unit, from, count }: TextRange): TextPart => {
  if (unit === 'bytes') return byteRange(text, from, count);
  const lines = text.split('\n');
  const taken = lines.slice(from - 1, from - 1 + count);
  return { unit, from, count: taken.length, of: lines.length, text: taken.join('\n') };
};

/** Returns the UTF-8 bytes of a text from an offset, cut between characters; half a surrogate pair counts as three bytes. */
export const byteRange = (text: string, from: number, count: number): TextPart => {
  const bytes = Buffer.from(text, 'utf8');
  const start = characterStart(bytes, Math.min(from, bytes.length));
  const end = characterStart(bytes, Math.min(start + count, bytes.length));
  // Bytes hold no half of a surrogate pair, so the range is one of the text itself.
  const first = bytes.toString('utf8', 0, start).length;
  const range = text.slice(first, first + bytes.toString('utf8', start, end).length);
  return { unit: 'bytes', from: start, count: end - start, of: bytes.length, text: range };
};

/** Returns the offset of the first byte of the character at an offset. */
const characterStart = (bytes: Buffer, at: number): number => {
  let start = at;
  while (start > 0 && start < bytes.length && ((bytes[start] ?? 0) & 0xc0) === 0x80) start -= 1;
  return start;
};
