import { hostname } from 'node:os';
import type { OpenEventStore } from '@app/adapters/event-store-db';
import { CompactionRunner, runCompactor, SessionStore } from '@app/application';
import { Actor } from '@app/kernel';
import type { Clock, Projector, Summarizer, TokenCounter } from '@app/ports';
import { Module } from '@nestjs/common';
import type { Closers } from '../closers.js';
import {
  CLOCK,
  CLOSERS,
  EVENT_STORE,
  ON_PROBLEM,
  PROJECTOR,
  SUMMARIZER,
  TOKEN_COUNTER,
  WORKER,
} from '../symbols.js';
import { EventStoreModule } from './event-store.module.js';
import { ReadModelsModule } from './read-models.module.js';
import { SessionsModule } from './sessions.module.js';
import type { OnProblem } from './settings.module.js';
import { SummarizerModule } from './summarizer.module.js';
import { TokenCounterModule } from './token-counter.module.js';

/** The work that goes on beside requests: running compactions, and projecting the log. */
export type Worker = {
  /** Rejects where projecting had to stop: the rows would be wrong from there on. */
  readonly failure: Promise<never>;
};

const start = (
  { subscriptions }: OpenEventStore,
  sessions: SessionStore,
  projector: Projector,
  summarizer: Summarizer,
  counter: TokenCounter,
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
  const runner = new CompactionRunner(sessions, summarizer, counter, worker, clock);
  const compacting = runCompactor({ subscriptions, runner, onError: onProblem('compactor') }, stop.signal);
  const projecting = projector.run(stop.signal);
  closers.add(async () => {
    stop.abort();
    await Promise.allSettled([compacting, projecting]);
  });
  const failure = Promise.all([compacting, projecting]).then(() => new Promise<never>(() => {}));
  failure.catch(() => {}); // Whoever is interested listens; nobody has to.
  return { failure };
};

/** Starts with the process that imports it, and ends with it. */
@Module({
  imports: [EventStoreModule, SessionsModule, ReadModelsModule, SummarizerModule, TokenCounterModule],
  providers: [
    {
      provide: WORKER,
      useFactory: start,
      inject: [EVENT_STORE, SessionStore, PROJECTOR, SUMMARIZER, TOKEN_COUNTER, CLOCK, CLOSERS, ON_PROBLEM],
    },
  ],
  exports: [WORKER],
})
export class WorkerModule {}
