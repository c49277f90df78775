import type { JsonObject } from '@app/kernel';
import type { Answer, Reply } from '../../replies/reply.js';
import { json, type Outgoing } from '../../server/outgoing.js';
import type { RecordedRequest } from '../../server/recorded-request.js';
import type { TokenCount } from '../../values/token-count.js';
import type { PromptCache } from '../caching/prompt-cache.js';
import { errorFrame, failing } from '../failures/failing.js';
import { type Segment, segmentsOf } from '../prompt/segments.js';
import type { Accepted } from '../rules/judge.js';
import { framesOf } from '../streaming/frames.js';
import { placeOf, sealThinking } from '../thinking/seal.js';
import { contentOf, stopOf } from './message.js';
import { usageOf } from './usage.js';

/** What a server writes its answers with. */
export type Writer = {
  readonly secret: string;
  readonly count: TokenCount;
  readonly cache: PromptCache;
  readonly nextId: (kind: 'msg' | 'toolu') => string;
};

/** The answer to an accepted request, as the script wants it. */
export const answering = (
  request: RecordedRequest,
  reply: Reply,
  accepted: Accepted,
  writer: Writer,
): Outgoing => {
  const { window } = accepted.model;
  const id = `req_${request.at}`;
  if (reply.kind === 'failure') return failing(reply, window, id);
  const { disturbance } = reply;
  const isStream = request.body.stream === true;
  if (disturbance?.kind === 'error' && !isStream)
    return failing({ kind: 'failure', failure: disturbance.failure }, window, id);
  const { message, startUsage } = messageOf(request.body, reply, accepted, writer);
  const usage = message.usage;
  if (!isStream) return json(200, message, { ...(disturbance && { disturbance }), usage });
  return {
    ...{ kind: 'stream', headers: {}, frames: framesOf(message, startUsage), disturbance, usage },
    errorFrames: (failure) => [errorFrame(failure, window, id)],
  };
};

type Written = {
  readonly message: JsonObject & { readonly usage: JsonObject };
  readonly startUsage: JsonObject;
};

const messageOf = (body: JsonObject, reply: Answer, accepted: Accepted, writer: Writer): Written => {
  const { model, segments } = accepted;
  const content = contentOf(
    reply.parts,
    () => writer.nextId('toolu'),
    (block, before) =>
      sealThinking(writer.secret, block, placeOf([...segments, ...saidBefore(before, writer)], model.id)),
  );
  const thoughts = content.filter(({ type }) => type === 'thinking' || type === 'redacted_thinking');
  const thinkingTokens = writer.count(JSON.stringify(thoughts)) * Math.sign(thoughts.length);
  const output = reply.outputTokens ?? writer.count(JSON.stringify(content));
  const account = writer.cache.account(segments, body, model.cacheMin);
  const usage = usageOf(account, output, Math.min(thinkingTokens, output));
  const message = {
    ...{ id: writer.nextId('msg'), type: 'message', role: 'assistant', model: body.model, content },
    ...{ stop_reason: null, stop_sequence: null, ...stopOf(reply), usage },
  };
  return { message, startUsage: { ...usage, output_tokens: 1, output_tokens_details: null } };
};

const saidBefore = (content: readonly JsonObject[], { count }: Writer): readonly Segment[] =>
  segmentsOf({ messages: [{ role: 'assistant', content }] }, count);
