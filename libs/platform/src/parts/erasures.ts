import { databasePlaces, sessionsConcerned } from '@app/adapters/read-model-postgres';
import { ErasureRunner, guardErasures, HeldBackErasures, LedgerStore } from '@app/application';
import { part } from './parts.js';

/** Erasures of content, the places that they clean, and what holds them back. */
export const ERASURES = [
  part('ledgers', ['tenantLog'], ({ tenantLog }) => new LedgerStore(tenantLog)),
  part('guard', ['sessions', 'database', 'clock'], ({ sessions, database, clock }) =>
    guardErasures({ sessions, clock, concerned: sessionsConcerned(database) }),
  ),
  part('places', ['database', 'log', 'keys'], ({ database, log, keys }) =>
    databasePlaces(database, log, keys),
  ),
  part(
    'runner',
    ['ledgers', 'keys', 'sessions', 'guard', 'places', 'clock'],
    (parts) => new ErasureRunner(parts),
  ),
  part(
    'erasures',
    ['ledgers', 'runner', 'commands'],
    ({ ledgers, runner, commands }) => new HeldBackErasures(ledgers, runner, commands),
  ),
];
