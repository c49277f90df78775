import type { Block } from '@app/domain';
import { isJsonObject, type JsonObject } from '@app/kernel';
import { isShallow } from '../drafts/content-blocks.js';
import type { DraftMessage } from '../drafts/draft.js';
import { listIn, modelNameIn, objectIn, stringIn } from '../drafts/members.js';
import { readItem } from '../wires/openai-responses/blocks.js';
import { openAiUsage } from '../wires/openai-usage.js';

/**
 * Returns a message from OpenAI Responses as recorded by mini-SWE-agent: a response, or an item such as a call's
 * output; `undefined` for a chat message.
 */
export const responsesMessage = ({ extra: _, ...item }: JsonObject): DraftMessage | undefined => {
  if (!isShallow(item)) return undefined;
  const output = item.object === 'response' ? listIn(item, 'output') : undefined;
  if (output !== undefined) return answerOf(item, output.filter(isJsonObject));
  return typeof item.type === 'string' && item.type !== 'message' ? readItem(item) : undefined;
};

const answerOf = (response: JsonObject, output: readonly JsonObject[]): DraftMessage => {
  const [id, model] = [stringIn(response, 'id'), modelNameIn(response)];
  const usage = openAiUsage(objectIn(response, 'usage'), { input: 'input_tokens', output: 'output_tokens' });
  const blocks: readonly Block[] = output.flatMap((item) => readItem(item).blocks);
  return {
    role: 'assistant',
    blocks,
    ...(id !== undefined && { id }),
    ...(model !== undefined && { model }),
    ...(usage && { usage: { ...(model !== undefined && { model }), ...usage } }),
  };
};
