import type { JsonObject } from '@app/kernel';
import type { Answer } from '../../replies/reply.js';
import { thresholdBlock } from '../compaction/block.js';
import { type Segment, segmentsOf, tokensOf } from '../prompt/segments.js';
import { type Accepted, spokenMessages } from '../rules/judge.js';
import { placeOf, sealThinking } from '../thinking/seal.js';
import { contentOf, fitted, stopOf } from './content.js';
import { iterationOf, NOTHING_READ, usageOf } from './usage.js';
import type { Writer, Written } from './writer.js';

/** Returns the model's message for an accepted request, after a compaction above its threshold. */
export const answerMessage = (
  body: JsonObject,
  reply: Answer,
  accepted: Accepted,
  writer: Writer,
): Written =>
  accepted.compacting
    ? compactedMessage(body, reply, accepted, accepted.compacting, writer)
    : plainMessage(body, reply, accepted, writer);

const plainMessage = (body: JsonObject, reply: Answer, accepted: Accepted, writer: Writer): Written => {
  const { model, segments, tokens } = accepted;
  const said = saying(reply, [], accepted, model.window - tokens, writer);
  const account = writer.cache.account(segments, body, model.cacheMin);
  const usage = usageOf(account, said.output, said.thinking);
  const message = heading(body, writer, { ...said.stop, content: said.content, usage });
  return { message: { ...message, ...notesOf(body, accepted) }, usage, startUsage: atStart(usage) };
};

/** Replaces the prompt by a summary, and continues unless it should pause. */
const compactedMessage = (
  body: JsonObject,
  reply: Answer,
  accepted: Accepted,
  edit: JsonObject,
  writer: Writer,
): Written => {
  const { model, segments } = accepted;
  const pauses = edit.pause_after_compaction === true;
  const block = thresholdBlock(writer.secret, summaryOf(body, reply, pauses));
  const before = writer.cache.account(segments, body, model.cacheMin);
  const summaryTokens = writer.count(JSON.stringify(block));
  const compaction = iterationOf('compaction', before, summaryTokens, null);
  const startUsage = atStart(usageOf(before, 1, 0));
  if (pauses) {
    const usage = { ...usageOf(NOTHING_READ, 0, 0), iterations: [compaction] };
    const stopped = { stop_reason: 'compaction', content: [block], usage };
    return { message: { ...heading(body, writer, stopped), ...notesOf(body, accepted) }, usage, startUsage };
  }
  const isFailed = block.content === null; // Keeps the prompt on failure.
  const head = segments.filter(({ place }) => place !== 'messages');
  const after = isFailed ? segments : [...head, ...asSaid([block], writer)];
  const said = saying(reply, [block], accepted, model.window - tokensOf(after), writer);
  const account = isFailed ? before : writer.cache.account(after, body, model.cacheMin);
  const usage = {
    ...usageOf(account, said.output, said.thinking),
    iterations: [compaction, iterationOf('message', account, said.output, model.id)],
  };
  const message = heading(body, writer, { ...said.stop, content: said.content, usage });
  return { message: { ...message, ...notesOf(body, accepted) }, usage, startUsage };
};

const summaryOf = (body: JsonObject, { compaction, parts }: Answer, pauses: boolean): string | null => {
  if (compaction !== undefined) return compaction;
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  if (pauses && texts.length > 0) return texts.join('\n\n');
  return `Summary of ${spokenMessages(body)} messages.`;
};

/** Returns the content of an answer, limited by the window, with its bill. */
const saying = (
  reply: Answer,
  first: readonly JsonObject[],
  { model, bound }: Accepted,
  room: number,
  writer: Writer,
) => {
  const whole = contentOf(
    reply.parts,
    first,
    () => writer.nextId('toolu'),
    (block, before) =>
      sealThinking(writer.secret, block, placeOf([...bound, ...asSaid(before, writer)], model.id)),
  );
  const cut = fitted(whole, room, writer.count);
  const content = cut ?? whole;
  const own = content.slice(first.length);
  const thoughts = own.filter(({ type }) => type === 'thinking' || type === 'redacted_thinking');
  const output = reply.outputTokens ?? writer.count(JSON.stringify(own));
  const thinking = thoughts.length === 0 ? 0 : Math.min(output, writer.count(JSON.stringify(thoughts)));
  return { content, output, thinking, stop: stopOf(cut ? { parts: [], stop: 'window-full' } : reply) };
};

const asSaid = (content: readonly JsonObject[], { count }: Writer): readonly Segment[] =>
  segmentsOf({ messages: [{ role: 'assistant', content }] }, count);

export const heading = (body: JsonObject, writer: Writer, more: JsonObject): JsonObject => ({
  ...{ id: writer.nextId('msg'), type: 'message', role: 'assistant', model: body.model },
  ...{ stop_reason: null, stop_sequence: null, ...more },
});

/** Reports the server's edits of the prompt, if the request asks for edits. */
const notesOf = (body: JsonObject, { appliedEdits, transformations }: Accepted): JsonObject => ({
  ...(body.context_management != null && { context_management: { applied_edits: appliedEdits } }),
  ...(transformations.length > 0 && { input_transformations: transformations }),
});

/** The usage in a stream's start event: the full prompt, and hardly any output. */
const atStart = (usage: JsonObject): JsonObject => ({ ...usage, output_tokens: 1 });
