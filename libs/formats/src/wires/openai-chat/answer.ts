import { isJsonObject, type Json, type JsonObject } from '@app/kernel';
import { listIn, modelNameIn, objectIn, stringIn } from '../../drafts/members.js';
import { essenceOf } from '../essence.js';
import { CHAT_USAGE, openAiUsage } from '../openai-usage.js';
import { serverEvents } from '../raw/sse.js';
import type { WireAnswer } from '../wire.js';
import { chatMessage } from './read.js';

/** A completion as `POST /v1/chat/completions` answers it. Of several choices the first is the one that is kept. */
export const chatAnswer = (body: JsonObject): WireAnswer | undefined => {
  const [choice] = listIn(body, 'choices') ?? [];
  const message = isJsonObject(choice) ? objectIn(choice, 'message') : undefined;
  const read = message && chatMessage({ ...message, role: 'assistant' });
  if (!read || !isJsonObject(choice)) return undefined;
  const essence = essenceOf('assistant', read.blocks);
  const stopReason = stringIn(choice, 'finish_reason') ?? 'unknown';
  return {
    id: stringIn(body, 'id'),
    model: modelNameIn(body),
    blocks: read.blocks,
    essences: essence === undefined ? [] : [essence],
    usage: openAiUsage(objectIn(body, 'usage'), CHAT_USAGE),
    stopReason,
    endsTurn: stopReason === 'stop' || stopReason === 'length' || stopReason === 'content_filter',
    edits: undefined,
    named: [],
  };
};

type Growing = Record<string, Json | undefined>;

/** Returns the completion of a stream; `undefined` without a finished choice. */
export const chatAnswerOf = (stream: string): WireAnswer | undefined => {
  const whole: Growing = {};
  const message: PartialMessage = new Map<string, Json>([
    ['role', 'assistant'],
    ['content', null],
  ]);
  const calls: Calls = new Map();
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
  const made = [...calls]
    .sort(([a], [b]) => a - b)
    .map(([, { call, called }]) => ({ ...Object.fromEntries(call), function: called }));
  const finished = { ...Object.fromEntries(message), ...(made.length > 0 && { tool_calls: made }) };
  return chatAnswer({ ...whole, choices: [{ message: finished, finish_reason: finish }] });
};

/** Members by their names: a provider may name them as it likes. */
type PartialMessage = Map<string, Json>;
type Calls = Map<
  number,
  { readonly call: PartialMessage; readonly called: { name: string; arguments: string } }
>;

const grow = (
  message: PartialMessage,
  calls: Calls,
  { tool_calls: deltas, role: _, ...said }: JsonObject,
): void => {
  for (const [name, value] of Object.entries(said)) {
    const before = message.get(name);
    if (typeof value === 'string') message.set(name, (typeof before === 'string' ? before : '') + value);
    else if (value !== null && value !== undefined) message.set(name, value);
  }
  for (const delta of Array.isArray(deltas) ? deltas : []) {
    if (!isJsonObject(delta)) continue;
    const { index, function: part, ...rest } = delta;
    const at = typeof index === 'number' ? index : 0;
    const known = calls.get(at) ?? {
      call: new Map([['type', 'function']]),
      called: { name: '', arguments: '' },
    };
    calls.set(at, known);
    for (const [name, value] of Object.entries(rest)) if (value !== undefined) known.call.set(name, value);
    if (!isJsonObject(part)) continue;
    known.called.name += String(part.name ?? '');
    known.called.arguments += String(part.arguments ?? '');
  }
};
