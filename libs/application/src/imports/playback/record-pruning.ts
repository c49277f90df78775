import type { TranscriptFormat, TranscriptPruning } from '@app/formats';
import type { SessionRef } from '../../sessions/session-ref.js';
import type { Step } from './step.js';
import { EVENT_WEIGHT } from './step-queue.js';

/** Returns the step that records tool outputs cleared by the agent. */
export const pruningStep = (
  { session }: SessionRef,
  { callIds, createdAt }: TranscriptPruning,
  format: TranscriptFormat,
): Step => {
  const imported = { format, ...(createdAt !== undefined && { at: createdAt }) };
  return {
    commands: [{ type: 'RecordPruning', data: { sessionId: session, callIds, imported } }],
    weight: EVENT_WEIGHT + Buffer.byteLength(JSON.stringify(callIds)),
  };
};
