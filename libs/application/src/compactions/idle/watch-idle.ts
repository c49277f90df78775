import { setTimeout as delay } from 'node:timers/promises';
import { type Actor, type StreamName, sessionStream } from '@app/kernel';
import type { Clock, IdleSession, ReadModels } from '@app/ports';
import { nextCompactionId } from '../../sessions/compaction-id.js';
import type { SessionStore } from '../../sessions/session-store.js';

const LOOK_EVERY_MS = 60_000;

export type IdleWatchOptions = {
  readonly readModels: Pick<ReadModels, 'idleSessions'>;
  readonly sessions: SessionStore;
  /** Who asks, as it is recorded. */
  readonly worker: Actor;
  readonly clock: Clock;
  /** Hears of what went wrong, before the watch goes on. */
  readonly onError: (error: unknown) => void;
  /** Resolves when it is time to look again, or `signal` aborts; a minute where nothing is said. */
  readonly pause?: (signal: AbortSignal) => Promise<void>;
};

/**
 * Asks for a compaction of sessions that their profiles call idle, until `signal` aborts. Several may watch at once: a
 * session is asked for one compaction at a time. The first look comes after the first pause, so that a process that ends soon
 * begins nothing.
 */
export const watchIdle = async (options: IdleWatchOptions, signal: AbortSignal): Promise<void> => {
  const { pause = aMinute } = options;
  let asked: Asked = new Map();
  for (;;) {
    await pause(signal);
    if (signal.aborted) return;
    try {
      asked = await look(options, asked);
    } catch (error) {
      options.onError(error);
    }
  }
};

/** As of which revision a session was asked: there is no new answer before something happens to it. */
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

/** The rows may be behind: whether it is due is decided on what the session has come to. */
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

const aMinute = (signal: AbortSignal): Promise<void> =>
  delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
