import {
  openTransparencyLogs,
  openWitness,
  openWitnessedLogs,
  transparencyRun,
} from '@app/adapters/read-model-postgres';
import { submitToWitness } from '@app/adapters/witness-http';
import { WitnessRounds } from '@app/application';
import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { logLine } from '../../log-problem.js';
import { factoryProvider } from '../../providers.js';
import {
  APP_CONFIG,
  DATABASE,
  METRICS,
  ON_PROBLEM,
  OWN_WITNESS,
  SECRET_BOX,
  STORED_EVENTS,
  TRANSPARENCY_LOGS,
  TRANSPARENCY_RUN,
  WITNESS_RUN,
} from '../../symbols.js';
import { DatabaseModule } from '../database.module.js';
import { EventStoreModule } from '../event-store.module.js';
import { ReadModelsModule } from '../read-models.module.js';
import { SecretBoxModule } from '../secrets/secret-box.module.js';
import { SessionsModule } from '../sessions.module.js';
import { TenantsModule } from '../tenants/tenants.module.js';
import { logSettings, witnessedLogKeys } from './log-settings.js';

const RUN = {
  config: APP_CONFIG,
  database: DATABASE,
  events: STORED_EVENTS,
  box: SECRET_BOX,
  onProblem: ON_PROBLEM,
} as const;

/** The transparency logs of tenants, the work that adds events to them, and proofs from them. */
@Module({
  imports: [
    ...[CqrsModule, DatabaseModule, EventStoreModule, ReadModelsModule, SecretBoxModule, SessionsModule],
    TenantsModule,
  ],
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
      WITNESS_RUN,
      {
        config: APP_CONFIG,
        database: DATABASE,
        logs: TRANSPARENCY_LOGS,
        metrics: METRICS,
        onProblem: ON_PROBLEM,
      },
      ({ config, database, logs, metrics, onProblem }) => {
        const { policy } = logSettings(config);
        const rounds = new WitnessRounds({
          policy,
          logs: openWitnessedLogs(database, policy),
          proofs: (tenant, proofs, size) => logs.proofs(tenant, proofs, size),
          submit: submitToWitness,
          onAnswer: (witness, problem, isNew) => {
            metrics.witnessAnswered(witness, problem === undefined);
            if (isNew) logLine('warn', { place: 'witness', witness, problem });
          },
          onError: onProblem('witness'),
        });
        return (signal) => rounds.run(signal);
      },
    ),
    factoryProvider(
      OWN_WITNESS,
      { config: APP_CONFIG, database: DATABASE, box: SECRET_BOX },
      ({ config, database, box }) =>
        openWitness(database, box, {
          name: config.PALIMPSEST_WITNESS_NAME ?? '',
          logs: witnessedLogKeys(config),
        }),
    ),
  ],
  exports: [TRANSPARENCY_LOGS, TRANSPARENCY_RUN, WITNESS_RUN, OWN_WITNESS],
})
export class TransparencyModule {}
