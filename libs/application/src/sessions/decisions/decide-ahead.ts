import { randomUUID } from 'node:crypto';
import { ConflictError, type EventLog } from '@app/ports';
import type { InFlight } from '../in-flight.js';
import type { HotSessions } from '../readers/hot-sessions.js';
import { type SessionRef, streamOf } from '../session-ref.js';
import type { CommandFor } from './command-for.js';
import { decideIfAllowed, type Loaded } from './decide-all.js';
import type { Caller, Executed } from './executed.js';
import { recordedIn, toRecord } from './to-record.js';

/** The expected result of `append`, which fails with a `ConflictError` after a concurrent write. */
export type Ahead = { readonly executed: Executed; readonly append: () => Promise<void> };

/** Decides on the state that a running append will leave. */
export const decideAhead = async (
  { log, hot, inFlight }: { readonly log: EventLog; readonly hot: HotSessions; readonly inFlight: InFlight },
  ref: SessionRef,
  commandsFor: readonly CommandFor[],
  caller: Pick<Caller, 'actor' | 'causationId'>,
  standing: Loaded,
): Promise<Ahead | undefined> => {
  const decision = await decideIfAllowed(commandsFor, standing);
  const { parts, after } = decision;
  if (!after || parts.every(({ events }) => events.length === 0)) return undefined;
  const stream = streamOf(ref);
  const { news, context } = toRecord(ref, standing, decision, caller, () => randomUUID());
  const append = async (): Promise<void> => {
    try {
      await log.append(stream, standing.revision ?? 'no-stream', news, context);
      hot.keep(stream, after);
    } catch (error) {
      if (!(error instanceof ConflictError)) hot.forget(stream);
      throw error;
    }
  };
  return { executed: { ...after, ...recordedIn(news) }, append: () => inFlight.track(append) };
};
