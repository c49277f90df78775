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
 * What Anthropic would answer to a body of `POST /v1/messages`: the text of its refusal, `undefined` where it takes
 * it. Without a server, and so without thinking that anybody has signed: that is taken on trust.
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

/** What OpenAI would answer to a body of `POST /v1/chat/completions`, in the same way. */
export const openAiChatRefusal = (body: JsonObject): string | undefined => {
  const judgement = judgeChat(body, OPENAI, new Writer(BYTES_PER_TOKEN));
  return 'refusal' in judgement ? judgement.refusal.message : undefined;
};

/**
 * The same of a body of `POST /v1/responses`, with nothing that the server holds from before; what somebody has encrypted
 * is taken on trust.
 */
export const openAiResponsesRefusal = (body: JsonObject): string | undefined => {
  const judgement = judgeResponse(body, OPENAI, new Writer(BYTES_PER_TOKEN), true);
  return 'refusal' in judgement ? judgement.refusal.message : undefined;
};
