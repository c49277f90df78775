import type { JsonObject } from '@app/kernel';
import type { Answer, Reply } from '../../replies/reply.js';
import { json, type Outgoing } from '../../server/outgoing.js';
import { objectOf } from '../../values/wire-values.js';
import { failing, refusalOf } from '../failures/failing.js';
import { errorOf } from '../failures/refusal.js';
import type { Accepted, Writer } from '../writer.js';
import { choiceOf, chunksOf, completionOf } from './completion.js';

/** Returns the scripted answer to an accepted chat request. */
export const answeringChat = (
  body: JsonObject,
  reply: Reply,
  accepted: Accepted,
  writer: Writer,
): Outgoing => {
  const window = accepted.model.inputMax;
  if (reply.kind === 'failure') return failing(reply, 'chat', window);
  const { disturbance } = reply;
  const isStream = body.stream === true;
  if (disturbance?.kind === 'error' && !isStream)
    return failing({ kind: 'failure', failure: disturbance.failure }, 'chat', window);
  const choice = choiceOf(reply, () => writer.nextId('call'));
  const heading = { id: writer.nextId('chatcmpl'), model: accepted.model.id };
  const usage = usageOf(reply, accepted, writer);
  if (!isStream)
    return json(200, completionOf(heading, choice, usage), { ...(disturbance && { disturbance }), usage });
  const isUsageAsked = objectOf(body.stream_options).include_usage === true;
  return {
    ...{ kind: 'stream', headers: {}, disturbance, usage },
    frames: chunksOf(heading, choice, isUsageAsked ? usage : undefined),
    errorFrames: (failure) => [
      `data: ${JSON.stringify({ error: errorOf(refusalOf(failure, 'chat', window)) })}\n\n`,
    ],
  };
};

const usageOf = (reply: Answer, { prompt, tokens }: Accepted, writer: Writer): JsonObject => {
  const { cached, written } = writer.cache.account(prompt);
  const { output, reasoning } = writer.outputTokens(reply);
  return {
    ...{ prompt_tokens: tokens, completion_tokens: output, total_tokens: tokens + output },
    prompt_tokens_details: { cached_tokens: cached, cache_write_tokens: written, audio_tokens: 0 },
    completion_tokens_details: {
      ...{ reasoning_tokens: reasoning, audio_tokens: 0 },
      ...{ accepted_prediction_tokens: 0, rejected_prediction_tokens: 0 },
    },
  };
};
