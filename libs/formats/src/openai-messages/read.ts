import type { JsonObject } from '@app/kernel';
import { readConversations } from '../chat/read-conversations.js';
import type { Draft, DraftMessage, DraftSession } from '../drafts/draft.js';
import { listIn } from '../drafts/members.js';
import type { Entry } from '../lines/parse-line.js';
import { chatItems } from '../wires/openai-chat/items.js';
import { keepingOriginal } from '../wires/original.js';
import { openAiConverter } from './convert-message.js';
import { toolsOf } from './tools.js';

/** Reads messages of OpenAI's chat protocol, including agent trajectories. */
export const readOpenAiMessages = (entries: AsyncIterable<Entry>): AsyncIterable<Draft> =>
  readConversations(entries, { converter: keepingConverter, sessionOf });

/** Keeps fields that blocks cannot represent, such as the exact text of a call's arguments. */
const keepingConverter = () => {
  const convert = openAiConverter();
  return (message: JsonObject): DraftMessage | undefined => {
    const read = convert(message);
    return read && { ...read, blocks: keepingOriginal(read.blocks, message, chatItems(read)) };
  };
};

const sessionOf = (around: JsonObject): Pick<DraftSession, 'tools'> => {
  const tools = listIn(around, 'tools')?.flatMap(toolsOf);
  return tools && tools.length > 0 ? { tools } : {};
};
