import { isJsonObject, type Json, type JsonObject } from '@app/kernel';
import { listIn, objectIn, stringIn } from '../../drafts/members.js';
import { openAiUsage } from '../openai-usage.js';
import { serverEvents } from '../raw/sse.js';
import { digestOfBlocks } from '../said.js';
import type { WireAnswer } from '../wire.js';
import { chatMessage } from './read.js';

/** A completion as `POST /v1/chat/completions` answers it. Of several choices the first is the one that is kept. */
export const chatAnswer = (body: JsonObject): WireAnswer | undefined => {
  const [choice] = listIn(body, 'choices') ?? [];
  const message = isJsonObject(choice) ? objectIn(choice, 'message') : undefined;
  const read = message && chatMessage({ ...message, role: 'assistant' });
  if (!read || !isJsonObject(choice)) return undefined;
  const digest = digestOfBlocks('assistant', read.blocks);
  const stopReason = stringIn(choice, 'finish_reason') ?? 'unknown';
  return {
    id: stringIn(body, 'id'),
    model: stringIn(body, 'model'),
    blocks: read.blocks,
    digests: digest === undefined ? [] : [digest],
    usage: openAiUsage(objectIn(body, 'usage'), { input: 'prompt_tokens', output: 'completion_tokens' }),
    stopReason,
    endsTurn: stopReason === 'stop' || stopReason === 'length' || stopReason === 'content_filter',
    edits: undefined,
    named: [],
  };
};

type Growing = Record<string, Json | undefined>;

/** The completion that a stream has told; `undefined` where no choice came to its end. */
export const chatAnswerOf = (stream: string): WireAnswer | undefined => {
  const whole: Growing = {};
  const message: Growing = { role: 'assistant', content: null };
  const calls: { readonly call: Growing; readonly called: Growing }[] = [];
  let finish: Json | undefined;
  for (const { data } of serverEvents(stream)) {
    if (!data) continue;
    whole.id ??= data.id;
    whole.model ??= data.model;
    if (isJsonObject(data.usage)) whole.usage = data.usage;
    const choice = (listIn(data, 'choices') ?? []).find((one) => isJsonObject(one) && (one.index ?? 0) === 0);
    if (!isJsonObject(choice)) continue;
    grow(message, calls, objectIn(choice, 'delta') ?? {});
    finish = choice.finish_reason ?? finish;
  }
  if (finish === undefined) return undefined;
  const made = calls.filter(Boolean).map(({ call, called }) => ({ ...call, function: called }));
  const told = { ...message, ...(made.length > 0 && { tool_calls: made }) };
  return chatAnswer({ ...whole, choices: [{ message: told, finish_reason: finish }] });
};

const grow = (
  message: Growing,
  calls: { readonly call: Growing; readonly called: Growing }[],
  { tool_calls: deltas, role: _, ...said }: JsonObject,
): void => {
  for (const [name, value] of Object.entries(said)) {
    const before = message[name];
    if (typeof value === 'string') message[name] = (typeof before === 'string' ? before : '') + value;
    else if (value !== null && value !== undefined) message[name] = value;
  }
  for (const delta of Array.isArray(deltas) ? deltas : []) {
    if (!isJsonObject(delta)) continue;
    const at = Number(delta.index ?? 0);
    calls[at] ??= { call: { type: 'function' }, called: { name: '', arguments: '' } };
    const { call, called } = calls[at];
    const { index: __, function: part, ...rest } = delta;
    Object.assign(call, rest);
    if (!isJsonObject(part)) continue;
    called.name = `${String(called.name)}${String(part.name ?? '')}`;
    called.arguments = `${String(called.arguments)}${String(part.arguments ?? '')}`;
  }
};
