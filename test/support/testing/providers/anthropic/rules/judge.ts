import type { JsonObject } from '@app/kernel';
import type { TokenCount } from '../../values/token-count.js';
import { numberOr, objectOf, objectsIn, textOr } from '../../values/wire-values.js';
import { overflowText } from '../failures/failing.js';
import { invalid, notFound, type Refusal } from '../failures/refusal.js';
import type { AnthropicModel, AnthropicModels } from '../models.js';
import { applyEdits, dueCompaction } from '../prompt/edits.js';
import { blocksOf, type Segment, segmentsOf, tokensOf } from '../prompt/segments.js';
import { checkThinking } from '../thinking/check.js';
import type { BlockContext } from './blocks.js';
import { compactionRefusals } from './compaction.js';
import { messageRefusals } from './messages.js';
import { type Call, parameterRefusals } from './parameters.js';
import type { Refusals } from './refusals.js';
import { thinkingTurnRefusals } from './thinking.js';

/** A valid request as the model sees it. */
export type Accepted = {
  readonly model: AnthropicModel;
  /** The content that thinking is bound to: the request's own, from the newest compaction on. */
  readonly bound: readonly Segment[];
  /** The model's input: with edits applied, and without unreadable thinking. */
  readonly segments: readonly Segment[];
  readonly tokens: number;
  /** Its tokens without the edits. */
  readonly originalTokens: number;
  readonly appliedEdits: readonly JsonObject[];
  readonly transformations: readonly JsonObject[];
  /** The edit that compacts before the answer. */
  readonly compacting: JsonObject | undefined;
};

export type Judgement = { readonly refusal: Refusal } | { readonly accepted: Accepted };

export type JudgeOptions = {
  readonly models: AnthropicModels;
  readonly count: TokenCount;
  readonly secret: string;
  readonly trustsForeignThinking: boolean;
};

/** The headers that change which requests are valid. */
export type Terms = { readonly betas: ReadonlySet<string>; readonly version: string };

/** Validates a request as Anthropic does before it reaches a model. */
export const judge = (
  body: JsonObject,
  call: Call,
  { betas, version }: Terms,
  options: JudgeOptions,
): Judgement => {
  const id = textOr(body.model, '');
  const model = options.models.find(id);
  if (!model) return { refusal: id === '' ? invalid('model: Field required') : notFound(`model: ${id}`) };
  const context = { betas, isNewVersion: version >= '2026-10-21' };
  for (const refusal of allRefusals(body, call, model, context, options)) return { refusal };
  const stopsAtWindow = model.stopsAtWindow || betas.has(STOP_AT_WINDOW);
  return weigh(body, call, { ...model, stopsAtWindow }, options);
};

/** Gives older models the stop reason that newer ones always have. */
const STOP_AT_WINDOW = 'model-context-window-exceeded-2025-08-26';

function* allRefusals(
  body: JsonObject,
  call: Call,
  model: AnthropicModel,
  context: BlockContext,
  { secret }: JudgeOptions,
): Refusals {
  yield* parameterRefusals(body, call, model, context);
  yield* compactionRefusals(body, model, context, secret);
  yield* messageRefusals(body, model, context);
  yield* thinkingTurnRefusals(body, context);
}

const weigh = (body: JsonObject, call: Call, model: AnthropicModel, options: JudgeOptions): Judgement => {
  const { count, secret, models, trustsForeignThinking: trustsForeign } = options;
  const bound = sinceCompaction(segmentsOf(body, count));
  const checked = checkThinking(bound, body, { secret, model, trustsForeign, reads: models.reads });
  if (checked.refusal) return { refusal: checked.refusal };
  const { segments, applied } = applyEdits(checked.segments, body, count);
  const tokens = tokensOf(segments);
  if (tokens > model.window) return { refusal: invalid(overflowText(tokens, model.window)) };
  const max = numberOr(body.max_tokens, 0);
  if (call === 'create' && !model.stopsAtWindow && tokens + max > model.window)
    return {
      refusal: invalid(
        `input length and \`max_tokens\` exceed context limit: ${tokens} + ${max} > ${model.window}, decrease input length or \`max_tokens\` and try again`,
      ),
    };
  return {
    accepted: {
      ...{ model, bound, segments, tokens, originalTokens: tokensOf(checked.segments) },
      ...{ appliedEdits: applied, transformations: checked.transformations },
      compacting: dueCompaction(segments, body),
    },
  };
};

/** The server ignores everything before the newest successful compaction block. */
const sinceCompaction = (segments: readonly Segment[]): readonly Segment[] => {
  const last = segments.findLastIndex(({ block }) => block.type === 'compaction' && block.content !== null);
  return segments.filter(
    ({ place, block }, at) =>
      place !== 'messages' || (at >= last && !(block.type === 'compaction' && block.content === null)),
  );
};

/** Whether a request asks for compaction on demand only. */
export const asksForCompaction = ({ compaction }: JsonObject): boolean =>
  objectOf(compaction).type === 'summarize';

/** Returns the number of non-empty messages of a request. */
export const spokenMessages = ({ messages }: JsonObject): number =>
  objectsIn(messages).filter(({ content }) => blocksOf(content).length > 0).length;
