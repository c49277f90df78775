import {
  openTransparencyLogs,
  openWitness,
  openWitnessedLogs,
  transparencyRun,
} from '@app/adapters/read-model-postgres';
import { submitToWitness } from '@app/adapters/witness-http';
import { WitnessRounds } from '@app/application';
import { logLine } from '../../log-problem.js';
import { part } from '../parts.js';
import { logSettings, witnessedLogKeys } from './log-settings.js';

/** The transparency logs of tenants, the work that adds events to them, and proofs from them. */
export const TRANSPARENCY = [
  part('logs', ['config', 'database', 'box'], ({ config, database, box }) =>
    openTransparencyLogs(database, box, logSettings(config)),
  ),
  part(
    'addToLogs',
    ['config', 'database', 'stored', 'box', 'onProblem'],
    ({ config, stored, onProblem, ...parts }) =>
      transparencyRun({
        ...parts,
        events: stored,
        settings: logSettings(config),
        onError: onProblem('transparency'),
      }),
  ),
  part(
    'submitToWitnesses',
    ['config', 'database', 'logs', 'metrics', 'onProblem'],
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
  part('ownWitness', ['config', 'database', 'box'], ({ config, database, box }) =>
    openWitness(database, box, {
      name: config.PALIMPSEST_WITNESS_NAME ?? '',
      logs: witnessedLogKeys(config),
    }),
  ),
];
