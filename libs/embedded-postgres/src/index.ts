export {
  type PostgresExit,
  type SpawnedPostgres,
  type SpawnOptions,
  spawnPostgres,
} from './spawn-postgres.js';
