import { type Block, blockFrom, textBlock } from '@app/domain';
import { isJsonObject, type Json, type JsonObject } from '@app/kernel';
import { asText, contentBlocks, isShallow, textBlocks } from '../drafts/content-blocks.js';
import type { DraftMessage } from '../drafts/draft.js';
import { listIn, objectIn, stringIn, timeFrom } from '../drafts/members.js';
import { blockOfPart, imageFrom } from '../openai-messages/convert-part.js';
import { inputOf } from '../wires/arguments.js';
import { type Found, NOTHING, UNUSABLE } from './found.js';

/** An event of OpenHands' agent SDK. */
export const foundInSdk = (event: JsonObject): Found => {
  if (!isShallow(event)) return UNUSABLE;
  switch (event.kind) {
    case 'SystemPromptEvent':
      return {
        kind: 'prompt',
        system: [textIn(event.system_prompt), textIn(event.dynamic_context)].filter(Boolean).join('\n\n'),
        tools: (listIn(event, 'tools') ?? []).filter(isJsonObject),
      };
    case 'MessageEvent':
      return ofMessage(event);
    case 'ActionEvent':
      return ofAction(event);
    case 'ObservationEvent':
      return result(event, observed(objectIn(event, 'observation') ?? {}), isFailed(event));
    case 'UserRejectObservation':
      return result(event, `Action rejected: ${stringIn(event, 'rejection_reason') ?? ''}`, true);
    case 'AgentErrorEvent':
      return result(event, stringIn(event, 'error') ?? '', true);
    case 'Condensation':
      return {
        kind: 'condensation',
        condensation: {
          id: stringIn(event, 'id'),
          summary: stringIn(event, 'summary'),
          createdAt: timeFrom(event.timestamp),
          forgotten: (id) => (listIn(event, 'forgotten_event_ids') ?? []).includes(id),
        },
      };
    default:
      return NOTHING;
  }
};

const textIn = (value: Json | undefined): string =>
  typeof value === 'string' ? value : isJsonObject(value) ? (stringIn(value, 'text') ?? '') : '';

const ofMessage = (event: JsonObject): Found => {
  const said = objectIn(event, 'llm_message');
  const parts = said && partsOf(said.content);
  if (!said || !parts) return UNUSABLE;
  const role = said.role === 'assistant' ? 'assistant' : said.role === 'system' ? 'system' : 'user';
  const beside = partsOf(event.extended_content) ?? [];
  return {
    kind: 'message',
    message: { role, blocks: [...reasoning(said), ...parts, ...beside], ...originOf(event) },
  };
};

const ofAction = (event: JsonObject): Found => {
  const call = objectIn(event, 'tool_call') ?? {};
  const called = objectIn(call, 'function') ?? call;
  const id = stringIn(event, 'tool_call_id') ?? stringIn(call, 'id');
  const name = stringIn(event, 'tool_name') ?? stringIn(called, 'name');
  if (id === undefined || name === undefined) return UNUSABLE;
  const { arguments: given } = called;
  const input = isJsonObject(given) ? given : inputOf(given);
  const responseId = stringIn(event, 'llm_response_id');
  return {
    kind: 'message',
    message: {
      role: 'assistant',
      blocks: [...reasoning(event), ...(partsOf(event.thought) ?? []), { type: 'tool_use', id, name, input }],
      ...originOf(event),
    },
    ...(responseId !== undefined && { responseId }),
  };
};

/** Anthropic's blocks as they were, OpenAI's item as a signature, or, without either, the words alone. */
const reasoning = (said: JsonObject): readonly Block[] => {
  const blocks = (listIn(said, 'thinking_blocks') ?? []).flatMap((block) => blockFrom(block) ?? []);
  if (blocks.length > 0) return blocks;
  const item = objectIn(said, 'responses_reasoning_item');
  const words = stringIn(said, 'reasoning_content');
  if (item) {
    const signature = JSON.stringify({ type: 'reasoning', ...item });
    return [{ type: 'thinking', thinking: words ?? '', signature }];
  }
  return words === undefined ? [] : [{ type: 'thinking', thinking: words }];
};

const result = (event: JsonObject, content: string | readonly Block[], failed: boolean): Found => {
  const id = stringIn(event, 'tool_call_id');
  const origin = originOf(event);
  if (id === undefined) {
    const blocks = typeof content === 'string' ? textBlocks(content) : content;
    return blocks.length === 0 ? UNUSABLE : { kind: 'message', message: { role: 'user', blocks, ...origin } };
  }
  const block: Block = { type: 'tool_result', tool_use_id: id, content, ...(failed && { is_error: true }) };
  return { kind: 'message', message: { role: 'user', blocks: [block], ...origin } };
};

const isFailed = (event: JsonObject): boolean => objectIn(event, 'observation')?.is_error === true;

/** What the model is shown of an observation: its content; older tools name it otherwise. */
const observed = (observation: JsonObject): string | readonly Block[] => {
  const content = partsOf(observation.content) ?? partsOf(observation.output);
  if (content === undefined) return String(asText(observation).text);
  const [only, ...more] = content;
  return only?.type === 'text' && more.length === 0 ? String(only.text) : content;
};

const partsOf = (content: Json | undefined): readonly Block[] | undefined =>
  Array.isArray(content)
    ? content.flatMap((part: Json) => imagesIn(part) ?? contentBlocks([part], blockOfPart) ?? [])
    : typeof content === 'string'
      ? textBlocks(content)
      : undefined;

const imagesIn = (part: Json): readonly Block[] | undefined => {
  const urls = isJsonObject(part) && part.type === 'image' ? listIn(part, 'image_urls') : undefined;
  return urls?.map((url) => imageFrom(url) ?? textBlock(JSON.stringify(url)));
};

const originOf = (event: JsonObject): Pick<DraftMessage, 'id' | 'createdAt'> => {
  const id = stringIn(event, 'id');
  const createdAt = timeFrom(event.timestamp);
  return { ...(id !== undefined && { id }), ...(createdAt !== undefined && { createdAt }) };
};
