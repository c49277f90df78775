import type { JsonObject } from '@app/kernel';
import type { Answer } from '../../replies/reply.js';
import { signedBlock } from '../compaction/block.js';
import type { Accepted } from '../rules/judge.js';
import { placeOf } from '../thinking/seal.js';
import { stopOf } from './content.js';
import { heading } from './message.js';
import { iterationOf, NOTHING_READ, usageOf } from './usage.js';
import type { Writer, Written } from './writer.js';

/**
 * Returns the answer to a compaction on demand: only a signed block with the text of the scripted answer. An answer
 * that is cut off, refuses, or calls a tool is a failed compaction: billed, and empty.
 */
export const compactionMessage = (
  body: JsonObject,
  reply: Answer,
  { model, segments, bound }: Accepted,
  writer: Writer,
): Written => {
  const text = reply.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n');
  const stop = stopOf(reply);
  const isMade = stop.stop_reason === 'end_turn' && text.trim() !== '';
  const content = isMade ? [signedBlock(writer.secret, text, placeOf(bound, model.id).prefix)] : [];
  const output = reply.outputTokens ?? writer.count(JSON.stringify(reply.parts));
  const account = writer.cache.account(segments, body, model.cacheMin);
  const usage = {
    ...usageOf(NOTHING_READ, 0, 0),
    iterations: [iterationOf('compaction', account, output, null)],
  };
  const stopped = isMade ? { stop_reason: 'compaction' } : stop;
  return { message: heading(body, writer, { ...stopped, content, usage }), usage, startUsage: usage };
};
