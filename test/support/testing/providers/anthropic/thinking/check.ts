import type { JsonObject } from '@app/kernel';
import { objectOf } from '../../values/wire-values.js';
import { invalid, type Refusal } from '../failures/refusal.js';
import type { AnthropicModel } from '../models.js';
import { isThinking, type Segment } from '../prompt/segments.js';
import { bindingOf, PrefixWalk, payloadIn } from './seal.js';

/** What becomes of the thinking that a request brings back. */
export type CheckedThinking = {
  readonly refusal?: Refusal;
  /** The prompt without the thinking that its model cannot read. */
  readonly segments: readonly Segment[];
  /** `input_transformations` of the answer. */
  readonly transformations: readonly JsonObject[];
};

export type ThinkingOptions = {
  readonly secret: string;
  readonly model: AnthropicModel;
  /** Whether thinking that this server never wrote is taken on trust, as recorded sessions need it. */
  readonly trustsForeign: boolean;
  /** Whether a model of this id is newer than, or the same as, that one. */
  readonly reads: (model: string, writer: string) => boolean;
};

/** Whether every thinking block is as this server wrote it, behind what it wrote it behind. */
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
    if (!model.keepsThinking && at < lastTurn) continue; // Not looked at, and not in the prompt.
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

/** Signed by a server of this kind, though not by this one, or altered since: no trust helps it. */
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

/** Where the last turn begins: behind the last thing that the user said, results left aside. */
const startOfLastTurn = (segments: readonly Segment[]): number =>
  segments.findLastIndex(({ role, block }) => role === 'user' && block.type !== 'tool_result') + 1;
