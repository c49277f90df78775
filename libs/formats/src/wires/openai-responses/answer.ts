import type { ProviderEdits } from '@app/domain';
import { isJsonObject, type JsonObject, Tokens } from '@app/kernel';
import { listIn, modelNameIn, objectIn, stringIn } from '../../drafts/members.js';
import { essenceOf } from '../essence.js';
import { openAiUsage, RESPONSES_USAGE } from '../openai-usage.js';
import { serverEvents } from '../raw/sse.js';
import type { WireAnswer } from '../wire.js';
import { readItem } from './blocks.js';

/** A response as `POST /v1/responses` answers it. */
export const responsesAnswer = (body: JsonObject): WireAnswer | undefined => {
  const { status } = body;
  const output = listIn(body, 'output')?.filter(isJsonObject);
  if (!output || (status !== 'completed' && status !== 'incomplete')) return undefined;
  const read = output.map((item) => {
    const { blocks } = readItem(item);
    return { blocks, essence: essenceOf('assistant', blocks), id: stringIn(item, 'id') };
  });
  const reason = stringIn(objectIn(body, 'incomplete_details') ?? {}, 'reason');
  const calls = output.some(({ type }) => String(type).endsWith('_call') && type !== 'web_search_call');
  return {
    id: stringIn(body, 'id'),
    model: modelNameIn(body),
    blocks: read.flatMap(({ blocks }) => blocks),
    essences: read.flatMap(({ essence }) => essence ?? []),
    usage: openAiUsage(objectIn(body, 'usage'), RESPONSES_USAGE),
    stopReason: reason ?? (calls ? 'tool_calls' : 'completed'),
    endsTurn: !calls,
    edits: output.some(({ type }) => type === 'compaction') ? COMPACTED : undefined,
    named: read.flatMap(({ id, essence }) => (id === undefined ? [] : [{ id, essence }])),
  };
};

/** The usage of the provider's own compaction is part of the answer's usage and cannot be separated. */
const COMPACTED: ProviderEdits = {
  clearedToolUses: 0,
  clearedThinkingTurns: 0,
  clearedInputTokens: Tokens(0),
  compaction: {},
};

/** Returns the final response of a stream; `undefined` for an incomplete stream. */
export const responsesAnswerOf = (stream: string): WireAnswer | undefined => {
  const done: JsonObject[] = [];
  for (const { data } of serverEvents(stream)) {
    const item = data?.type === 'response.output_item.done' ? objectIn(data, 'item') : undefined;
    if (item) done.push(item);
    if (data?.type !== 'response.completed' && data?.type !== 'response.incomplete') continue;
    const response = objectIn(data, 'response') ?? {};
    const output = listIn(response, 'output') ?? [];
    return responsesAnswer({ ...response, output: output.length > 0 ? output : done });
  }
  return undefined;
};
