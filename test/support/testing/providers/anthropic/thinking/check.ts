import type { JsonObject } from '@app/kernel';
import { objectOf } from '../../values/wire-values.js';
import { invalid, type Refusal } from '../failures/refusal.js';
import type { AnthropicModel } from '../models.js';
import { isThinking, type Segment } from '../prompt/segments.js';
import { bindingOf, PrefixWalk, payloadIn } from './seal.js';

/** The result of checking a request's thinking. */
export type CheckedThinking = {
  readonly refusal?: Refusal;
  /** The prompt without thinking that its model cannot read. */
  readonly segments: readonly Segment[];
  /** `input_transformations` of the answer. */
  readonly transformations: readonly JsonObject[];
};

export type ThinkingOptions = {
  readonly secret: string;
  readonly model: AnthropicModel;
  /** Whether to accept thinking of other origins, such as recorded sessions. */
  readonly trustsForeign: boolean;
  /** Whether `model` is the same as `writer`, or newer. */
  readonly reads: (model: string, writer: string) => boolean;
};

/** Verifies that every thinking block is unaltered, and follows the prefix that it was written after. */
export const checkThinking = (
  segments: readonly Segment[],
  body: JsonObject,
  options: ThinkingOptions,
): CheckedThinking => {
  const { model } = options;
  const { prefix_mismatch_behavior: behaviour } = objectOf(objectOf(body.thinking).block_binding);
  const bindsPrefix = model.bindsThinking || behaviour != null;
  const lastTurn = startOfLastTurn(segments);
  const kept: Segment[] = [];
  const transformations: JsonObject[] = [];
  const drop = ({ path }: Segment, reason: string) =>
    transformations.push({ type: 'thinking_dropped', path, reason });
  const walk = new PrefixWalk();
  for (const [at, segment] of segments.entries()) {
    const here = walk.here(model.id);
    walk.pass(segment);
    if (!isThinking(segment)) {
      kept.push(segment);
      continue;
    }
    if (!model.keepsThinking && at < lastTurn) continue; // Neither checked nor in the prompt.
    const binding = bindingOf(options.secret, segment.block);
    if (!binding) {
      if (!options.trustsForeign || isOfAServer(segment)) return refused(altered(segment, segments, at));
      kept.push(segment);
      continue;
    }
    const isMoved =
      here.prefix !== binding.prefix || (here.previous !== '' && here.previous !== binding.previous);
    if (model.bindsThinking && !options.reads(model.id, binding.model))
      drop(segment, 'model_binding_mismatch');
    else if (!bindsPrefix || !isMoved) kept.push(segment);
    else if (behaviour === 'drop_block') drop(segment, 'prefix_binding_mismatch');
    else return refused(moved(segment));
  }
  return { segments: kept, transformations };
};

const refused = (refusal: Refusal): CheckedThinking => ({ refusal, segments: [], transformations: [] });

/** Whether another server of this kind signed the block, or it was altered: it is never trusted. */
const isOfAServer = ({ block }: Segment): boolean =>
  payloadIn(block.type === 'thinking' ? block.signature : block.data)?.prefix !== undefined;

const altered = ({ path, block: { type } }: Segment, segments: readonly Segment[], at: number): Refusal => {
  const later = segments.slice(at).map(({ role }) => role);
  const isLatest = !later.includes('user') || !later.slice(later.indexOf('user')).includes('assistant');
  if (isLatest)
    return invalid(
      `${path}: \`thinking\` or \`redacted_thinking\` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.`,
    );
  const member = type === 'thinking' ? 'signature' : 'data';
  return invalid(`${path}: Invalid \`${member}\` in \`${String(type)}\` block`);
};

const moved = ({ path }: Segment): Refusal =>
  invalid(
    `${path}: Invalid \`signature\` in \`thinking\` block. The block is bound to a different conversation.`,
  );

/** Returns the start of the last turn: after the last user message other than results. */
const startOfLastTurn = (segments: readonly Segment[]): number =>
  segments.findLastIndex(({ role, block }) => role === 'user' && block.type !== 'tool_result') + 1;
