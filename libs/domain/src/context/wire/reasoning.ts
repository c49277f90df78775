import { Attached, type Json, type JsonObject, type MessageId, parseJsonObject } from '@app/kernel';
import { isReasoning, type Message, type ReasoningBlock } from '../../message/index.js';
import type { ReasoningOmission, WireFormat } from '../../message/wire.js';
import type { OpenSession } from '../../session/state.js';
import type { Manifest } from '../manifest.js';

/**
 * Models that refuse kept reasoning once anything before it has changed: from Fable 5.1,
 * Mythos 5.1, Opus 5.5, Sonnet 5.5 and Haiku 5.5 on.
 */
const BOUND_TO_PREFIX =
  /claude-(?:(?:fable|mythos)-5[-.][1-9](?!\d)|(?:opus|sonnet|haiku)-5[-.][5-9](?!\d)|[a-z]+-(?:[6-9]|[1-9]\d)(?!\d))/;

/** The conditions for sending reasoning: the provider of the request, and changes to the prefix. */
export type ReasoningContext = Pick<
  Manifest,
  'model' | 'record' | 'pinned' | 'edits' | 'isAltered' | 'unreplayableReasoning'
>;

/** Returns the reason for omitting a reasoning block from a request; `undefined` if it can be sent unchanged. */
export const reasoningOmission = (
  block: ReasoningBlock,
  message: Message,
  manifest: ReasoningContext,
  format: WireFormat,
): ReasoningOmission | undefined => {
  if (format === 'openai-chat') return 'foreign-provider';
  if (format === 'openai-responses') return omissionInResponses(block, message);
  if (block.type === 'thinking') {
    if (!block.signature) return 'unsigned';
    // Other providers' opaque items come in as JSON in the signature's place.
    if (block.signature.startsWith('{')) return 'foreign-provider';
  }
  if (message.model !== undefined && !/claude|anthropic/i.test(message.model)) return 'foreign-provider';
  if (!BOUND_TO_PREFIX.test(manifest.model)) return undefined;
  return hasChangedPrefix(manifest) || isAmong(manifest.unreplayableReasoning, message.id)
    ? 'bound-to-changed-prefix'
    : undefined;
};

/** Whether the reasoning of a request depends on what preceded it when it was created: elsewhere, all of it is sent or none. */
export const dependsOnPrefix = (manifest: ReasoningContext, format: WireFormat): boolean =>
  format === 'anthropic' && BOUND_TO_PREFIX.test(manifest.model) && !hasChangedPrefix(manifest);

const SETS = new Attached<readonly MessageId[], ReadonlySet<MessageId>>();
/** As quick for many ids as for one: the list is the same for all messages of a request. */
const isAmong = (ids: readonly MessageId[], id: MessageId): boolean =>
  SETS.once(ids, () => new Set(ids)).has(id);

/** Returns whether a request leaves out reasoning of a message, seen alone. */
export const leavesOutReasoning =
  (context: ReasoningContext, format: WireFormat) =>
  (message: Message): boolean =>
    message.blocks.some(
      (block) => isReasoning(block) && reasoningOmission(block, message, context, format) !== undefined,
    );

/** Returns the wire format of a session: that of the newest request, else the one of its model's vendor. */
export const formatOf = ({ request, model }: Pick<OpenSession, 'request' | 'model'>): WireFormat =>
  request.format ?? (OF_OPENAI.test(model) ? 'openai-responses' : 'anthropic');

/** OpenAI's models, by their names at OpenAI and elsewhere. */
const OF_OPENAI = /gpt|codex|openai|(?<![a-z0-9])o\d/i;

const omissionInResponses = (block: ReasoningBlock, { model }: Message): ReasoningOmission | undefined => {
  if (model !== undefined && !OF_OPENAI.test(model)) return 'foreign-provider';
  if (reasoningItemOf(block)) return undefined;
  return block.type === 'thinking' && !block.signature ? 'unsigned' : 'foreign-provider';
};

/** The item of Responses that a block was read from; only one with encrypted content can be sent again. */
export const reasoningItemOf = (block: ReasoningBlock): JsonObject | undefined => {
  if (block.type !== 'thinking' || !block.signature?.startsWith('{')) return undefined;
  const item = parseJsonObject(block.signature);
  return item?.type === 'reasoning' && isSealed(item.encrypted_content) ? item : undefined;
};
const isSealed = (value: Json | undefined): boolean => typeof value === 'string' && value !== '';

/** Contributions are last: they change only the prefix of later content. */
const hasChangedPrefix = ({ record, pinned, edits, isAltered }: ReasoningContext): boolean =>
  record !== undefined || pinned !== undefined || edits.length > 0 || isAltered;
