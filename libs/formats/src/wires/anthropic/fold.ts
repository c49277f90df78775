import { isJsonObject, type Json, type JsonObject, parseJson, setMember } from '@app/kernel';
import { objectIn } from '../../drafts/members.js';
import { serverEvents } from '../raw/sse.js';

type Open = { block: Record<string, Json | undefined>; json: string };

/** Returns the message of a stream of `POST /v1/messages`; `undefined` for an incomplete stream. */
export const foldAnthropic = (stream: string): JsonObject | undefined => {
  let message: Record<string, Json | undefined> | undefined;
  let isEnded = false;
  /** By the provider's index, which is no place in a list: it may be any number. */
  const blocks = new Map<number, Open>();
  for (const { data } of serverEvents(stream)) {
    if (!data) continue;
    switch (data.type) {
      case 'message_start':
        message = { ...objectIn(data, 'message') };
        break;
      case 'content_block_start':
        blocks.set(Number(data.index), { block: { ...objectIn(data, 'content_block') }, json: '' });
        break;
      case 'content_block_delta':
        grow(blocks.get(Number(data.index)), objectIn(data, 'delta') ?? {});
        break;
      case 'message_delta':
        if (message) finish(message, data);
        break;
      case 'message_stop':
        isEnded = true;
    }
  }
  if (!message || !isEnded) return undefined;
  const content = [...blocks].sort(([a], [b]) => a - b).map(([, open]) => closed(open));
  return { ...message, content };
};

const grow = (open: Open | undefined, delta: JsonObject): void => {
  if (!open) return;
  const { block } = open;
  switch (delta.type) {
    case 'text_delta':
      block.text = `${stringOr(block.text)}${stringOr(delta.text)}`;
      return;
    case 'thinking_delta':
      block.thinking = `${stringOr(block.thinking)}${stringOr(delta.thinking)}`;
      return;
    case 'signature_delta':
      block.signature = stringOr(delta.signature);
      return;
    case 'input_json_delta':
      open.json += stringOr(delta.partial_json);
      return;
    case 'citations_delta':
      block.citations = [...listOr(block.citations), delta.citation ?? null];
      return;
    default: {
      // For example compaction_delta, which has members of the block.
      const { type: _, ...members } = delta;
      for (const [name, member] of Object.entries(members)) setMember(block, name, member);
    }
  }
};

const closed = ({ block, json }: Open): JsonObject => {
  if (json === '') return block;
  const input = parseJson(json);
  return { ...block, input: isJsonObject(input) ? input : (block.input ?? {}) };
};

const finish = (message: Record<string, Json | undefined>, data: JsonObject): void => {
  for (const [name, member] of Object.entries(objectIn(data, 'delta') ?? {}))
    setMember(message, name, member);
  message.usage = { ...objectIn(message, 'usage'), ...present(objectIn(data, 'usage') ?? {}) };
  if (isJsonObject(data.context_management)) message.context_management = data.context_management;
};

/** Null values do not replace earlier ones. */
const present = (usage: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(usage).filter(([, value]) => value !== null));

const stringOr = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
const listOr = (value: Json | undefined): readonly Json[] => {
  const list: readonly Json[] = Array.isArray(value) ? value : [];
  return list;
};
