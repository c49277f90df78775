import { type Block, blockFrom, textBlock } from '@app/domain';
import { defined, isJsonObject, type Json, type JsonObject, parseJson } from '@app/kernel';
import { isOpenAiOnly } from '../chat/evidence.js';
import { readConversations } from '../chat/read-conversations.js';
import { contentBlocks, isShallow } from '../drafts/content-blocks.js';
import type { Draft, DraftMessage, DraftSession } from '../drafts/draft.js';
import { ANTHROPIC_USAGE, listIn, modelNameIn, objectIn, stringIn, usageFrom } from '../drafts/members.js';
import type { Entry } from '../lines/parse-line.js';
import { openAiConverter } from '../openai-messages/convert-message.js';

/** Reads messages of Anthropic's protocol: their blocks are ours, and stay as they are. */
export const readAnthropicMessages = (entries: AsyncIterable<Entry>): AsyncIterable<Draft> =>
  readConversations(entries, { converter: anthropicConverter, sessionOf });

const anthropicConverter = () => {
  // The records that decided the format may precede the first message in OpenAI's form.
  const convertOpenAi = openAiConverter();
  return (message: JsonObject): DraftMessage | undefined =>
    isOpenAiOnly(message) ? convertOpenAi(message) : messageOf(message);
};

const messageOf = (message: JsonObject): DraftMessage | undefined => {
  const { role } = message;
  if (role !== 'user' && role !== 'assistant' && role !== 'system') return undefined;
  const blocks = contentBlocks(message.content, (part) => blockFrom(part) ?? repairedBlock(part));
  if (blocks === undefined) return undefined;

  // Members of a response, which stands in a transcript as the API gave it.
  const id = stringIn(message, 'id');
  const model = modelNameIn(message);
  const usage = usageFrom(objectIn(message, 'usage'), ANTHROPIC_USAGE, model);
  return {
    role,
    blocks,
    ...defined({ id, model, usage }),
  };
};

const sessionOf = (around: JsonObject): Pick<DraftSession, 'system' | 'tools'> => {
  const system = (contentBlocks(around.system) ?? []).flatMap((block) =>
    typeof block.text === 'string' && block.text !== '' ? [block.text] : [],
  );
  const tools = listIn(around, 'tools')
    ?.filter(isJsonObject)
    .filter((tool) => isShallow(tool));
  return {
    ...(system.length > 0 && { system: system.join('\n') }),
    ...(tools && tools.length > 0 && { tools }),
  };
};

/**
 * Repairs a call or a result in a non-standard form: input as JSON text, missing content, content as a list of texts.
 * Returns the standard form; `undefined` if it cannot be repaired.
 */
const repairedBlock = (part: Json): Block | undefined => {
  if (!isJsonObject(part)) return undefined;
  if (part.type === 'tool_use' && typeof part.input === 'string')
    return blockFrom({ ...part, input: part.input === '' ? {} : (parseJson(part.input) ?? null) });
  if (part.type === 'tool_use' && (part.input === undefined || part.input === null))
    return blockFrom({ ...part, input: {} });
  return part.type === 'tool_result' ? blockFrom(withContent(part)) : undefined;
};

const withContent = ({ content, ...rest }: JsonObject): JsonObject => {
  if (content === null) return rest;
  const list: readonly Json[] = Array.isArray(content) ? content : [content ?? ''];
  return { ...rest, content: list.map((item) => (typeof item === 'string' ? textBlock(item) : item)) };
};
