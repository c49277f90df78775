import type { Reply } from '../../replies/reply.js';
import { json, type Outgoing } from '../../server/outgoing.js';
import type { RecordedRequest } from '../../server/recorded-request.js';
import { errorFrame, failing } from '../failures/failing.js';
import { framesOf } from '../frames.js';
import { type Accepted, asksForCompaction } from '../rules/judge.js';
import { compactionMessage } from './compacting.js';
import { answerMessage } from './message.js';
import type { Writer, Written } from './writer.js';

/** Returns the scripted answer to an accepted request. */
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
  const write = asksForCompaction(request.body) ? compactionMessage : answerMessage;
  const { message, usage, startUsage }: Written = write(request.body, reply, accepted, writer);
  if (!isStream) return json(200, message, { ...(disturbance && { disturbance }), usage });
  return {
    ...{ kind: 'stream', headers: {}, frames: framesOf(message, startUsage), disturbance, usage },
    errorFrames: (failure) => [errorFrame(failure, window, id)],
  };
};
