import { openTransparencyLogs, transparencyRun } from '@app/adapters/read-model-postgres';
import { ExportProofHandler, RotateLogKeyHandler, SessionStore, VerifyLiveHandler } from '@app/application';
import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { classProvider, factoryProvider } from '../../providers.js';
import {
  APP_CONFIG,
  DATABASE,
  ON_PROBLEM,
  PROJECTOR,
  SECRET_BOX,
  STORED_EVENTS,
  TRANSPARENCY_LOGS,
  TRANSPARENCY_RUN,
} from '../../symbols.js';
import { DatabaseModule } from '../database.module.js';
import { EventStoreModule } from '../event-store.module.js';
import { ReadModelsModule } from '../read-models.module.js';
import { SecretBoxModule } from '../secrets/secret-box.module.js';
import { SessionsModule } from '../sessions.module.js';
import { engineVersion } from './engine-version.js';
import { logSettings } from './log-settings.js';

const RUN = {
  config: APP_CONFIG,
  database: DATABASE,
  events: STORED_EVENTS,
  box: SECRET_BOX,
  onProblem: ON_PROBLEM,
} as const;
const EXPORT = { logs: TRANSPARENCY_LOGS, stored: STORED_EVENTS, sessions: SessionStore } as const;

/** The transparency logs of tenants, the work that adds events to them, and proofs from them. */
@Module({
  imports: [CqrsModule, DatabaseModule, EventStoreModule, ReadModelsModule, SecretBoxModule, SessionsModule],
  providers: [
    factoryProvider(
      TRANSPARENCY_LOGS,
      { config: APP_CONFIG, database: DATABASE, box: SECRET_BOX },
      ({ config, database, box }) => openTransparencyLogs(database, box, logSettings(config)),
    ),
    factoryProvider(TRANSPARENCY_RUN, RUN, ({ config, onProblem, ...parts }) =>
      transparencyRun({
        ...parts,
        settings: logSettings(config),
        onError: onProblem('transparency'),
      }),
    ),
    factoryProvider(
      ExportProofHandler,
      EXPORT,
      ({ logs, stored, sessions }) =>
        new ExportProofHandler(logs, stored, sessions, { version: engineVersion() }),
    ),
    classProvider(RotateLogKeyHandler, TRANSPARENCY_LOGS),
    factoryProvider(
      VerifyLiveHandler,
      { logs: TRANSPARENCY_LOGS, stored: STORED_EVENTS, projector: PROJECTOR },
      (parts) => new VerifyLiveHandler(parts),
    ),
  ],
  exports: [TRANSPARENCY_LOGS, TRANSPARENCY_RUN],
})
export class TransparencyModule {}
