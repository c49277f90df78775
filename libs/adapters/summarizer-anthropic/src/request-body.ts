import type { MessageCreateParamsStreaming } from '@anthropic-ai/sdk/resources/messages';
import { isJsonObject, type Json, type JsonObject } from '@app/kernel';
import type { RepeatedRequest, SummaryRequest } from '@app/ports';
import { NO_RESULT_YET, prefixPrompt, transcriptPrompt } from '@app/prompts';

/** A request without model and answer limit. */
type RequestBody = Omit<MessageCreateParamsStreaming, 'model' | 'max_tokens' | 'stream'>;

const MARK = { type: 'ephemeral' } as const;

/** Returns the session's own request followed by the task, if given; else a separate request. */
export const requestBody = (request: SummaryRequest): RequestBody => {
  if (request.parent) return prefixBody(request, request.parent);
  const { system, user } = transcriptPrompt(request);
  return { system, messages: [{ role: 'user', content: user }] };
};

/**
 * Returns the session's own request with tools, system prompt and messages unchanged, followed by the task, so that
 * the provider's prompt cache is reused. Cache marks do not affect the comparison, and are set where earlier requests
 * may have created entries: at the end of the fixed part, and of the newest messages.
 */
const prefixBody = (request: SummaryRequest, parent: RepeatedRequest): RequestBody => {
  const { model: _, max_tokens: __, ...given }: JsonObject = JSON.parse(JSON.stringify(parent));
  const messages = unmarked(given.messages);
  const task: JsonObject = { type: 'text', text: prefixPrompt(request) };
  const body: JsonObject = {
    ...given,
    ...(given.system !== undefined && { system: markedSystem(unmarked(given.system)) }),
    ...(given.tools !== undefined && { tools: unmarked(given.tools) }),
    messages: withTask(markedMessages(messages), task),
  };
  return asBody(body);
};

/** A cast: the provider validates the session's content, whose block types the client's types do not cover. */
const asBody = (body: JsonObject): RequestBody => JSON.parse(JSON.stringify(body));

/** Without the session's own marks: four are all that a request may have. */
const unmarked = (value: Json | undefined): Json => {
  if (Array.isArray(value)) return value.map(unmarked);
  if (!isJsonObject(value)) return value ?? null;
  const { cache_control: _, ...rest } = value;
  return Array.isArray(rest.content) ? { ...rest, content: unmarked(rest.content) } : rest;
};

const markedSystem = (system: Json): Json => {
  const blocks = typeof system === 'string' ? [{ type: 'text', text: system }] : system;
  return Array.isArray(blocks) ? markedLast(blocks) : system;
};

/** The newest two messages: a cache entry of the session's last request is then found within twenty blocks. */
const MARKED_MESSAGES = 2;

const markedMessages = (messages: Json): readonly JsonObject[] => {
  const all = Array.isArray(messages) ? messages.filter(isJsonObject) : [];
  return all.map((message, at) => {
    if (at < all.length - MARKED_MESSAGES) return message;
    const { content } = message;
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    return Array.isArray(blocks) ? { ...message, content: markedLast(blocks) } : message;
  });
};

/** Reasoning cannot have a mark: the last other block gets it. */
const markedLast = (blocks: readonly Json[]): Json[] => {
  const at = blocks.findLastIndex((block) => isJsonObject(block) && !/thinking/.test(String(block.type)));
  return blocks.map((block, place) =>
    place === at && isJsonObject(block) ? { ...block, cache_control: MARK } : block,
  );
};

/** Appends the task as the newest user text; open calls get results before it. */
const withTask = (messages: readonly JsonObject[], task: JsonObject): JsonObject[] => {
  const last = messages.at(-1);
  if (last?.role === 'user' && Array.isArray(last.content)) {
    return [...messages.slice(0, -1), { ...last, content: [...last.content, task] }];
  }
  const calls = Array.isArray(last?.content)
    ? last.content.filter((block) => isJsonObject(block) && block.type === 'tool_use').filter(isJsonObject)
    : [];
  const results = calls.map(({ id }) => ({
    type: 'tool_result',
    tool_use_id: id ?? '',
    content: NO_RESULT_YET,
  }));
  return [...messages, { role: 'user', content: [...results, task] }];
};
