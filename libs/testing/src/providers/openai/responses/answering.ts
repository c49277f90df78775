import type { JsonObject } from '@app/kernel';
import type { Answer, Reply } from '../../replies/reply.js';
import { json, type Outgoing } from '../../server/outgoing.js';
import { listOf } from '../../values/wire-values.js';
import { failing, refusalOf } from '../failures/failing.js';
import type { Accepted, Writer } from '../writer.js';
import { encryptWith } from './encrypted.js';
import { errorFrames, framesOf } from './events.js';
import { outputOf } from './output.js';
import { finished, responseBase } from './response.js';

/** The answer to an accepted request of the Responses API, as the script wants it. */
export const answeringResponse = (
  body: JsonObject,
  reply: Reply,
  accepted: Accepted,
  writer: Writer,
): Outgoing => {
  const window = accepted.model.inputMax;
  if (reply.kind === 'failure') return failing(reply, 'responses', window);
  const { disturbance } = reply;
  const isStream = body.stream === true;
  if (disturbance?.kind === 'error' && !isStream)
    return failing({ kind: 'failure', failure: disturbance.failure }, 'responses', window);
  const base = responseBase(writer.nextId('resp'), body);
  const isEncrypted = listOf(body.include).includes('reasoning.encrypted_content');
  const encrypt = encryptWith(writer.secret);
  const output = outputOf(reply, (kind) => writer.nextId(kind), isEncrypted ? encrypt : undefined);
  const usage = usageOf(reply, accepted, writer);
  const response = finished(base, output, reply.stop, usage);
  if (!isStream) return json(200, response, { ...(disturbance && { disturbance }), usage });
  return {
    ...{ kind: 'stream', headers: {}, frames: framesOf(base, response), disturbance, usage },
    errorFrames: (failure) => errorFrames(base, refusalOf(failure, 'responses', window)),
  };
};

const usageOf = (reply: Answer, { prompt, tokens }: Accepted, writer: Writer): JsonObject => {
  const { cached, written } = writer.cache.account(prompt);
  const { output, reasoning } = writer.outputTokens(reply);
  return {
    ...{ input_tokens: tokens, output_tokens: output, total_tokens: tokens + output },
    input_tokens_details: { cached_tokens: cached, cache_write_tokens: written },
    output_tokens_details: { reasoning_tokens: reasoning },
  };
};
