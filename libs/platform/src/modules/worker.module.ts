import { hostname } from 'node:os';
import type { OpenEventStore } from '@app/adapters/event-store-db';
import { CompactionRunner, HookCalls, runCompactor, SessionStore, watchIdle } from '@app/application';
import { Actor } from '@app/kernel';
import type { Clock, CompactionHook, Projector, ReadModels, Summarizer, TokenCounter } from '@app/ports';
import { Module } from '@nestjs/common';
import type { Closers } from '../closers.js';
import {
  CLOCK,
  CLOSERS,
  EVENT_STORE,
  HOOKS,
  ON_PROBLEM,
  PROJECTOR,
  READ_MODELS,
  SUMMARIZER,
  TOKEN_COUNTER,
  WORKER,
} from '../symbols.js';
import { EventStoreModule } from './event-store.module.js';
import { HooksModule } from './hooks/hooks.module.js';
import { ReadModelsModule } from './read-models.module.js';
import { SessionsModule } from './sessions.module.js';
import type { OnProblem } from './settings.module.js';
import { SummarizerModule } from './summarizer.module.js';
import { TokenCounterModule } from './token-counter.module.js';

/** The work that goes on beside requests: running compactions, asking for those of idle sessions, projecting the log. */
export type Worker = {
  /** Rejects where projecting had to stop: the rows would be wrong from there on. */
  readonly failure: Promise<never>;
};

const start = (
  { log, subscriptions }: OpenEventStore,
  sessions: SessionStore,
  projector: Projector,
  readModels: ReadModels,
  summarizer: Summarizer,
  counter: TokenCounter,
  hooks: readonly CompactionHook[],
  clock: Clock,
  closers: Closers,
  onProblem: OnProblem,
): Worker => {
  const stop = new AbortController();
  const worker = Actor(
    `worker:${hostname()
      .replace(/[^\x21-\x7e]/g, '_')
      .slice(0, 64)}:${process.pid}`,
  );
  const calls =
    hooks.length > 0
      ? new HookCalls({ sessions, log, counter, hooks, onError: onProblem('hook') })
      : undefined;
  const runner = new CompactionRunner(sessions, summarizer, counter, worker, {
    ...(calls && { hooks: calls }),
  });
  const compacting = runCompactor({ subscriptions, runner, onError: onProblem('compactor') }, stop.signal);
  const idle = { readModels, sessions, worker, clock, onError: onProblem('idle-watch') };
  const watching = watchIdle(idle, stop.signal);
  const projecting = projector.run(stop.signal);
  closers.add(async () => {
    stop.abort();
    await Promise.allSettled([compacting, watching, projecting]);
  });
  const failure = Promise.all([compacting, projecting]).then(() => new Promise<never>(() => {}));
  failure.catch(() => {}); // Whoever is interested listens; nobody has to.
  return { failure };
};

/** Starts with the process that imports it, and ends with it. */
@Module({
  imports: [
    EventStoreModule,
    SessionsModule,
    ReadModelsModule,
    SummarizerModule,
    TokenCounterModule,
    HooksModule,
  ],
  providers: [
    {
      provide: WORKER,
      useFactory: start,
      inject: [
        EVENT_STORE,
        SessionStore,
        PROJECTOR,
        READ_MODELS,
        SUMMARIZER,
        TOKEN_COUNTER,
        HOOKS,
        CLOCK,
        CLOSERS,
        ON_PROBLEM,
      ],
    },
  ],
  exports: [WORKER],
})
export class WorkerModule {}
