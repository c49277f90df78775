import type { JsonObject } from '@app/kernel';
import type { Answer, Reply } from '../../replies/reply.js';
import { json, type Outgoing } from '../../server/outgoing.js';
import { listOf, numberOr, objectsIn } from '../../values/wire-values.js';
import { failing, refusalOf } from '../failures/failing.js';
import type { Accepted, Writer } from '../writer.js';
import { compactionItem, hiddenSummary } from './compaction.js';
import { encryptWith } from './encrypted.js';
import { errorFrames, framesOf } from './events.js';
import { outputOf } from './output.js';
import { finished, responseBase } from './response.js';
import { responsesUsage } from './usage.js';

/** Returns the scripted answer to an accepted Responses request. */
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
  const id = writer.nextId('resp');
  const base = responseBase(id, body);
  const output = outputFor(body, reply, accepted, writer);
  const usage = responsesUsage(reply, accepted, output, writer);
  const response = finished(base, output, reply.stop, usage);
  const input = accepted.items.filter(({ type }) => type !== 'compaction_trigger');
  writer.store.keep(id, input, output, body.store !== false);
  if (!isStream) return json(200, response, { ...(disturbance && { disturbance }), usage });
  return {
    ...{ kind: 'stream', headers: {}, frames: framesOf(base, response), disturbance, usage },
    errorFrames: (failure, form) => errorFrames(base, refusalOf(failure, 'responses', window), form),
  };
};

/** Returns the output, followed by a compaction above the threshold; the trigger item requests only that. */
const outputFor = (
  body: JsonObject,
  reply: Answer,
  accepted: Accepted,
  writer: Writer,
): readonly JsonObject[] => {
  const { items, tokens } = accepted;
  if (items.at(-1)?.type === 'compaction_trigger')
    return [compactionItem(hiddenSummary(reply, items), writer)];
  const isEncrypted = listOf(body.include).includes('reasoning.encrypted_content');
  const encrypt = isEncrypted ? encryptWith(writer.secret) : undefined;
  const output = outputOf(reply, (kind) => writer.nextId(kind), encrypt);
  const edit = objectsIn(body.context_management).find(({ type }) => type === 'compaction');
  const isDue = edit && tokens > numberOr(edit.compact_threshold, Number.POSITIVE_INFINITY);
  if (!isDue || reply.compaction === null) return output;
  const summary = reply.compaction ?? `Summary of ${items.length} items.`;
  return [...output, compactionItem(summary, writer)];
};
