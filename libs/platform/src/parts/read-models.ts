import { openIdempotencyKeys, openProjector, openReadModels } from '@app/adapters/read-model-postgres';
import { currentRows } from '../recent/current-rows.js';
import { projectorObserver } from '../telemetry/telemetry.js';
import { part } from './parts.js';

/** The read models in PostgreSQL, the projector that writes them, and the idempotency keys of requests. */
export const READ_MODELS = [
  part(
    'readModels',
    ['database', 'keys', 'recent', 'projector', 'subscriptions'],
    ({ database, keys, ...parts }) => currentRows(openReadModels(database, keys), parts),
  ),
  part('idempotencyKeys', ['database'], ({ database }) => openIdempotencyKeys(database)),
  part(
    'projector',
    ['database', 'subscriptions', 'keys', 'onProblem', 'metrics'],
    ({ database, subscriptions, keys, onProblem, metrics }) =>
      openProjector({
        database,
        subscriptions,
        digests: keys,
        observer: projectorObserver(metrics),
        onError: onProblem('projector'),
      }),
  ),
];
