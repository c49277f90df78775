import type { JsonObject } from '@app/kernel';
import type { TokenCount } from '../../values/token-count.js';
import { textOr } from '../../values/wire-values.js';
import { overflowText } from '../failures/failing.js';
import { invalid, notFound, type Refusal } from '../failures/refusal.js';
import type { AnthropicModel, AnthropicModels } from '../models.js';
import { type Segment, segmentsOf, tokensOf } from '../prompt/segments.js';

/** A request that every rule lets pass, as the model sees it. */
export type Accepted = {
  readonly model: AnthropicModel;
  readonly segments: readonly Segment[];
  readonly tokens: number;
};

export type Judgement = { readonly refusal: Refusal } | { readonly accepted: Accepted };

export type JudgeOptions = {
  readonly models: AnthropicModels;
  readonly count: TokenCount;
  readonly secret: string;
};

/** What Anthropic would say of a request's body, before any of it reaches a model. */
export const judge = (body: JsonObject, options: JudgeOptions): Judgement => {
  const model = options.models.find(textOr(body.model, ''));
  if (!model) return { refusal: notFound(`model: ${textOr(body.model, '')}`) };
  const segments = segmentsOf(body, options.count);
  const tokens = tokensOf(segments);
  if (tokens > model.window) return { refusal: invalid(overflowText(tokens, model.window)) };
  return { accepted: { model, segments, tokens } };
};
