import type { JsonObject } from '@app/kernel';
import { readConversations } from '../chat/read-conversations.js';
import type { Draft, DraftSession } from '../drafts/draft.js';
import { listIn } from '../drafts/members.js';
import type { Entry } from '../lines/parse-line.js';
import { openAiConverter } from './convert-message.js';
import { toolsOf } from './tools.js';

/** Reads messages of OpenAI's chat protocol, those in the trajectories of agents included. */
export const readOpenAiMessages = (entries: AsyncIterable<Entry>): AsyncIterable<Draft> =>
  readConversations(entries, { converter: openAiConverter, sessionOf });

const sessionOf = (around: JsonObject): Pick<DraftSession, 'tools'> => {
  const tools = listIn(around, 'tools')?.flatMap(toolsOf);
  return tools && tools.length > 0 ? { tools } : {};
};
