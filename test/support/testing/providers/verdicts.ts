import type { JsonObject } from '@app/kernel';
import { type AnthropicModels, anthropicModels } from './anthropic/models.js';
import { judge } from './anthropic/rules/judge.js';
import { openAiModels } from './openai/models.js';
import { judgeChat, judgeResponse } from './openai/rules/judge.js';
import { Writer } from './openai/writer.js';
import { BYTES_PER_TOKEN, tokensBy } from './values/token-count.js';

const ANTHROPIC: AnthropicModels = anthropicModels({});
const OPENAI = openAiModels({});

/**
 * Returns Anthropic's error text for a body of `POST /v1/messages`; `undefined` if it is valid. Works without a
 * server, and thus accepts any thinking signature.
 */
export const anthropicRefusal = (body: JsonObject): string | undefined => {
  const options = {
    models: ANTHROPIC,
    count: tokensBy(BYTES_PER_TOKEN),
    secret: '',
    trustsForeignThinking: true,
  };
  const judgement = judge(body, 'create', { betas: new Set(), version: '2026-10-21' }, options);
  return 'refusal' in judgement ? judgement.refusal.message : undefined;
};

/** Returns OpenAI's error text for a body of `POST /v1/chat/completions`, likewise. */
export const openAiChatRefusal = (body: JsonObject): string | undefined => {
  const judgement = judgeChat(body, OPENAI, new Writer(BYTES_PER_TOKEN));
  return 'refusal' in judgement ? judgement.refusal.message : undefined;
};

/**
 * Returns OpenAI's error text for a body of `POST /v1/responses` without stored state; accepts any encrypted content.
 */
export const openAiResponsesRefusal = (body: JsonObject): string | undefined => {
  const judgement = judgeResponse(body, OPENAI, new Writer(BYTES_PER_TOKEN), true);
  return 'refusal' in judgement ? judgement.refusal.message : undefined;
};
