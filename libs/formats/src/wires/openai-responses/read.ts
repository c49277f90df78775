import { isJsonObject, isModelName, type JsonObject, MODEL_NAME_RULE } from '@app/kernel';
import { isShallow } from '../../drafts/content-blocks.js';
import { listIn, stringIn } from '../../drafts/members.js';
import { essenceOf } from '../essence.js';
import { oncePerItem } from '../once-per-item.js';
import { openAiError } from '../openai-error.js';
import { outputWishIn } from '../output-length.js';
import { systemFormOf } from '../system-form.js';
import type { ClientMessage, ClientRequest, WireRefusal } from '../wire.js';
import { readItem } from './blocks.js';

/** A request of `POST /v1/responses`. */
export const readResponses = (body: JsonObject): ClientRequest | WireRefusal => {
  const model = stringIn(body, 'model');
  if (model === undefined) return refused('you must provide a model parameter', 'model');
  if (!isModelName(model)) return refused(`model: it takes ${MODEL_NAME_RULE}`, 'model');
  const elsewhere = keptElsewhere(body);
  if (elsewhere) return elsewhere;
  const items = inputOf(body);
  if (!items) return refused("Invalid type for 'input': expected a string or an array of objects", 'input');
  const head = items.findIndex((item) => item.role !== 'system' && item.role !== 'developer');
  const first = head < 0 ? items.length : head;
  const parts = items.slice(0, first).map((item) => wordsOf(item));
  const continues = stringIn(body, 'previous_response_id');
  return {
    model,
    system: [stringIn(body, 'instructions') ?? '', ...parts].filter(Boolean).join('\n\n'),
    ...systemFormOf(items.slice(0, first), Boolean(stringIn(body, 'instructions'))),
    tools: (listIn(body, 'tools') ?? []).filter(isJsonObject),
    isStream: body.stream === true,
    items,
    messages: messagesOf(items, first),
    isManaged: isManaged(body, items),
    output: outputWishIn('openai-responses', body),
    ...(continues !== undefined && { continues }),
  };
};

/** Returns whether the request enables compaction or truncation, or continues from a compaction. */
const isManaged = (body: JsonObject, items: readonly JsonObject[]): boolean =>
  (listIn(body, 'context_management') ?? []).some((one) => isJsonObject(one) && one.type === 'compaction') ||
  body.truncation === 'auto' ||
  items.some(({ type }) => type === 'compaction' || type === 'compaction_trigger');

const refused = (message: string, param: string, code?: string): WireRefusal => ({
  status: 400,
  body: openAiError({ status: 400, message, param, ...(code !== undefined && { code }) }),
});

/** Returns the refusal of a request that would keep history or answer at the provider only. */
const keptElsewhere = (body: JsonObject): WireRefusal | undefined => {
  if (body.conversation !== undefined && body.conversation !== null) {
    const message = 'conversations are not supported here: send the history, or previous_response_id';
    return refused(message, 'conversation', 'unsupported_parameter');
  }
  if (body.background !== true) return undefined;
  return refused('background responses are not supported here', 'background', 'unsupported_parameter');
};

/** The input as items: a text is the user's. */
const inputOf = ({ input }: JsonObject): readonly JsonObject[] | undefined => {
  if (typeof input === 'string') return [{ role: 'user', content: input }];
  if (input === undefined) return [];
  return Array.isArray(input) && input.every((item, at) => isJsonObject(item) && isShallowItem(item, at))
    ? input
    : undefined;
};

const isShallowItem = oncePerItem((item) => isShallow(item));

const wordsOf = (item: JsonObject): string =>
  readItem(item)
    .blocks.map((block) => (block.type === 'text' ? String(block.text) : ''))
    .join('\n');

const itemIn = oncePerItem((item) => {
  const { role, blocks } = readItem(item);
  const says = () =>
    item.type === 'item_reference' ? { item: stringIn(item, 'id') ?? '' } : essenceOf(role, blocks);
  return { role, blocks, says };
});

/** Returns messages: one for all items of an answer, one for each other item. */
const messagesOf = (items: readonly JsonObject[], first: number): readonly ClientMessage[] => {
  const parts = items.slice(first).map((item, at) => itemIn(item, first + at));
  const messages: ClientMessage[] = [];
  for (let from = 0; from < parts.length; ) {
    const head = parts[from];
    if (!head) break;
    let to = from + 1;
    if (head.role === 'assistant') while (parts[to]?.role === 'assistant') to += 1;
    const known = MESSAGES.get(head);
    const isKnown =
      known?.parts.length === to - from && known.parts.every((part, at) => part === parts[from + at]);
    messages.push(isKnown ? known.message : joined(parts.slice(from, to), first + from));
    from = to;
  }
  return messages;
};

type Part = ReturnType<typeof itemIn>;
/** Messages by their first part: the parts of a known item are the same object in every request. */
const MESSAGES = new WeakMap<Part, { readonly parts: readonly Part[]; readonly message: ClientMessage }>();

const joined = (parts: readonly Part[], from: number): ClientMessage => {
  const message = {
    role: parts[0]?.role ?? 'assistant',
    blocks: parts.flatMap(({ blocks }) => blocks),
    says: parts.map(({ says }) => says),
    ...{ from, to: from + parts.length },
  };
  if (parts[0]) MESSAGES.set(parts[0], { parts, message });
  return message;
};

/** Ids of items that a request names instead of holding them. */
export const referencesIn = ({ input }: JsonObject): readonly string[] =>
  Array.isArray(input)
    ? input.flatMap((item) =>
        isJsonObject(item) && item.type === 'item_reference' ? (stringIn(item, 'id') ?? []) : [],
      )
    : [];
