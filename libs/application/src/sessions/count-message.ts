import type { Block, CountedMessage, Message, ToolResultBlock } from '@app/domain';
import { type JsonObject, sumTokens, type TenantId, Tokens } from '@app/kernel';
import type { TokenCounter } from '@app/ports';

/** Tokens that a provider adds to each message, call or result; measured as 3 to 7. */
const FRAMING = 5;
/** Tokens of a full-size image. */
const IMAGE = 1_600;
/** Tokens of a document page, as text and image; also its Base64 characters. */
const PAGE = 2_400;
const PAGE_CHARACTERS = 100_000;

/** Returns a message with its counted tokens, in total and for each block. */
export const countMessage = (counter: TokenCounter, message: Message): CountedMessage => {
  const blockTokens = message.blocks.map((block) => Tokens(countBlock(counter, block)));
  const tokens = sumTokens([FRAMING, ...blockTokens]);
  return { message, tokens, blockTokens, estimator: counter.estimator };
};

/** Returns the counted tokens of system prompt and tools. */
export const countFixed = (
  counter: TokenCounter,
  systemPrompt: string,
  tools: readonly JsonObject[],
): Tokens =>
  sumTokens([
    systemPrompt === '' ? 0 : counter.count(systemPrompt),
    ...tools.map((tool) => counter.count(JSON.stringify(tool))),
  ]);

const countBlock = (counter: TokenCounter, block: Block): number => {
  switch (block.type) {
    case 'text':
      return counter.count(block.text);
    case 'thinking':
      return counter.count(block.thinking);
    case 'redacted_thinking':
      return Math.ceil(block.data.length / 6); // Encrypted: about four Base64 characters for three bytes of text.
    case 'tool_use':
      return FRAMING + counter.count(block.name) + counter.count(JSON.stringify(block.input));
    case 'tool_result':
      return FRAMING + countResult(counter, block);
    case 'image':
      return IMAGE;
    case 'document':
      return countDocument(counter, block);
    default:
      return counter.count(JSON.stringify(block));
  }
};

const countResult = (counter: TokenCounter, { content }: ToolResultBlock): number => {
  if (content === undefined) return 0;
  if (typeof content === 'string') return counter.count(content);
  return content.reduce((sum, part) => sum + countPart(counter, part), 0);
};

const countPart = (counter: TokenCounter, part: JsonObject): number => {
  if (typeof part.text === 'string') return counter.count(part.text);
  if (part.type === 'image') return IMAGE;
  return part.type === 'document' ? countDocument(counter, part) : counter.count(JSON.stringify(part));
};

const countDocument = (counter: TokenCounter, document: JsonObject): number => {
  const source = document.source;
  const data = typeof source === 'object' && source !== null && 'data' in source ? source.data : undefined;
  if (typeof data !== 'string') return PAGE;
  const isText = typeof source === 'object' && source !== null && 'type' in source && source.type === 'text';
  return isText ? counter.count(data) : PAGE * Math.ceil(data.length / PAGE_CHARACTERS);
};

/**
 * Returns a counter with the results that `count` needs, computed in slices so that other requests are not blocked.
 *
 * @param count called once, with a counter that only collects texts.
 */
export const countedAhead = async (
  counter: TokenCounter,
  tenant: TenantId,
  count: (listener: TokenCounter) => unknown,
): Promise<TokenCounter> => {
  if (!counter.ahead) return counter;
  const texts: string[] = [];
  const listen = (text: string): number => {
    texts.push(text);
    return 0;
  };
  count({ estimator: counter.estimator, count: listen });
  return counter.ahead(texts, tenant);
};

/** Returns a counter with the counts of messages. */
export const counterForMessages = (
  counter: TokenCounter,
  tenant: TenantId,
  messages: readonly Message[],
): Promise<TokenCounter> =>
  countedAhead(counter, tenant, (listener) => {
    for (const message of messages) countMessage(listener, message);
  });

/** Returns a counter with the counts of system prompt and tools. */
export const counterForFixed = (
  counter: TokenCounter,
  tenant: TenantId,
  systemPrompt: string,
  tools: readonly JsonObject[],
): Promise<TokenCounter> =>
  countedAhead(counter, tenant, (listener) => countFixed(listener, systemPrompt, tools));
