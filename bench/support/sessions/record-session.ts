import { randomUUID } from 'node:crypto';
import { type SessionRef, streamOf } from '@app/application';
import type { SessionEvent } from '@app/domain';
import { Actor, type Revision } from '@app/kernel';
import type { EventContext, EventLog } from '@app/ports';
import { SimulatedSession } from './simulated-session.js';

/** Events per append: about 400 KB, within servers' limits. */
const BATCH = 500;
const context: EventContext = { actor: Actor('key:bench'), correlationId: 'bench' };

/**
 * Writes a whole session to the log with the adapter's codec: at least `length` events, and on until its context is
 * as full as possible. Sessions of any length thus end alike.
 * @returns the number of events.
 */
export const recordSession = async (
  log: EventLog,
  ref: SessionRef,
  { length, window }: { readonly length: number; readonly window: number },
): Promise<number> => {
  const session = new SimulatedSession(ref.tenant, ref.session, window);
  let last: Revision | undefined;
  let recording: Promise<Revision | undefined> = Promise.resolve(undefined);
  while (session.length < length || !session.isFull) {
    const batch = playBatch(session, length); // Overlaps with the previous write.
    last = await recording;
    recording = record(log, ref, last, batch);
    recording.catch(() => {}); // Awaited at the next batch or at the end.
  }
  await recording;
  return session.length;
};

const playBatch = (session: SimulatedSession, length: number): readonly SessionEvent[] => {
  const events = [...session.take()];
  while (events.length < BATCH && (session.length < length || !session.isFull)) {
    session.playTurn();
    events.push(...session.take());
  }
  return events;
};

const record = (
  log: EventLog,
  ref: SessionRef,
  last: Revision | undefined,
  events: readonly SessionEvent[],
): Promise<Revision> => {
  const news = events.map((event) => ({ id: randomUUID(), event }));
  return log.append(streamOf(ref), last ?? 'no-stream', news, context);
};
