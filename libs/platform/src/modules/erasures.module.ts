import { databasePlaces, sessionsConcerned } from '@app/adapters/read-model-postgres';
import { ErasureRunner, guardErasures, LedgerStore, SessionStore } from '@app/application';
import type { ErasableKeys, TokenCounter } from '@app/ports';
import { Inject, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { classProvider, factoryProvider } from '../providers.js';
import {
  CLOCK,
  CONTENT_KEYS,
  DATABASE,
  ERASURE_GUARD,
  ERASURE_PLACES,
  EVENT_LOG,
  ON_PROBLEM,
  type OnProblem,
  TENANT_LOG,
  TOKEN_COUNTER,
} from '../symbols.js';
import { DatabaseModule } from './database.module.js';
import { EventStoreModule } from './event-store.module.js';
import { TokenCounterModule } from './models/token-counter.module.js';
import { SecretBoxModule } from './secrets/secret-box.module.js';
import { SessionsModule } from './sessions.module.js';

const RUNNER = {
  ledgers: LedgerStore,
  keys: CONTENT_KEYS,
  sessions: SessionStore,
  guard: ERASURE_GUARD,
  places: ERASURE_PLACES,
  clock: CLOCK,
} as const;

/** Erasures of content, and the places that they clean. */
@Module({
  imports: [
    CqrsModule,
    DatabaseModule,
    EventStoreModule,
    SecretBoxModule,
    SessionsModule,
    TokenCounterModule,
  ],
  providers: [
    classProvider(LedgerStore, TENANT_LOG),
    factoryProvider(
      ERASURE_GUARD,
      { sessions: SessionStore, database: DATABASE, clock: CLOCK },
      ({ sessions, database, clock }) =>
        guardErasures({ sessions, clock, concerned: sessionsConcerned(database) }),
    ),
    factoryProvider(
      ERASURE_PLACES,
      { database: DATABASE, log: EVENT_LOG, keys: CONTENT_KEYS },
      ({ database, log, keys }) => databasePlaces(database, log, keys),
    ),
    factoryProvider(ErasureRunner, RUNNER, (parts) => new ErasureRunner(parts)),
  ],
  exports: [LedgerStore, ErasureRunner],
})
export class ErasuresModule implements OnApplicationBootstrap {
  @Inject(ErasureRunner) private readonly runner!: ErasureRunner;
  @Inject(ON_PROBLEM) private readonly onProblem!: OnProblem;
  @Inject(CONTENT_KEYS) private readonly keys!: ErasableKeys;
  @Inject(SessionStore) private readonly sessions!: SessionStore;
  @Inject(TOKEN_COUNTER) private readonly counter!: TokenCounter;

  /** Erasures that a crash has interrupted are finished beside other work: their keys are destroyed already or fenced. */
  onApplicationBootstrap(): void {
    this.keys.onEvicted(async () => {
      await this.sessions.forgetAll();
      this.counter.forget?.();
    });
    void this.runner.resume().catch(this.onProblem('erasures'));
  }
}
