import { isJsonObject, type Json, type JsonObject } from '@app/kernel';
import { readConversations } from '../chat/read-conversations.js';
import { isShallow } from '../drafts/content-blocks.js';
import type { Draft, DraftSession } from '../drafts/draft.js';
import { listIn } from '../drafts/members.js';
import type { Entry } from '../lines/parse-line.js';
import { openAiConverter } from './convert-message.js';

/** Reads messages of OpenAI's chat protocol, those in the trajectories of agents included. */
export const readOpenAiMessages = (entries: AsyncIterable<Entry>): AsyncIterable<Draft> =>
  readConversations(entries, { converter: openAiConverter, sessionOf });

const sessionOf = (around: JsonObject): Pick<DraftSession, 'tools'> => {
  const tools = listIn(around, 'tools')?.flatMap(toolsOf);
  return tools && tools.length > 0 ? { tools } : {};
};

/** A function as Anthropic's protocol describes a tool; other kinds stay as they are. */
const toolsOf = (tool: Json): readonly JsonObject[] => {
  if (!isJsonObject(tool) || !isShallow(tool)) return [];
  if (tool.type !== 'function' || !isJsonObject(tool.function)) return [tool];
  const { parameters, ...named } = tool.function;
  return [{ ...named, input_schema: parameters ?? { type: 'object' } }];
};
