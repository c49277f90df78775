import { type Actor, type StreamName, sessionStream } from '@app/kernel';
import type { Clock, IdleSession, ReadModels } from '@app/ports';
import { type EveryMinute, everyMinute } from '../every-minute.js';
import { nextCompactionId } from '../sessions/ids.js';
import type { SessionStore } from '../sessions/session-store.js';

export type IdleWatchOptions = EveryMinute & {
  readonly readModels: Pick<ReadModels, 'idleSessions'>;
  readonly sessions: SessionStore;
  /** Actor of the recorded requests. */
  readonly worker: Actor;
  readonly clock: Clock;
};

/**
 * Requests compactions of idle sessions until `signal` aborts. Several watchers may run concurrently, since a session has at
 * most one requested compaction.
 */
export const watchIdle = async (options: IdleWatchOptions, signal: AbortSignal): Promise<void> => {
  let asked: Asked = new Map();
  await everyMinute(options, signal, async () => {
    asked = await look(options, asked);
  });
};

/** Revision at which each session was last checked; an unchanged session is not checked again. */
type Asked = ReadonlyMap<StreamName, number>;

const look = async (options: IdleWatchOptions, before: Asked): Promise<Asked> => {
  const asked = new Map<StreamName, number>();
  for (const idle of await options.readModels.idleSessions(options.clock.now())) {
    const stream = sessionStream(idle.tenant, idle.session);
    try {
      if (before.get(stream) !== idle.revision) await ask(options, idle);
      asked.set(stream, idle.revision);
    } catch (error) {
      options.onError(error);
    }
  }
  return asked;
};

/** The read model may lag, so the decision is made on the current state of the session. */
const ask = async ({ sessions, worker, clock }: IdleWatchOptions, idle: IdleSession): Promise<void> => {
  const { tenant, session, revision } = idle;
  await sessions.execute(
    { tenant, session },
    (state, at) => {
      if (at !== revision) return undefined;
      const compactionId = nextCompactionId(session, state);
      return {
        type: 'RequestCompaction',
        data: { sessionId: session, compactionId, trigger: 'idle', now: clock.now() },
      };
    },
    { actor: worker },
  );
};
