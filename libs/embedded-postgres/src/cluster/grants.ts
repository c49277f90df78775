import { existsSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { isMemoryInUse, messageOf } from '../failures.js';
import type { Installation } from '../installation/installation.js';
import { clusterOf, DATABASE, grantsFileOf, READER } from '../layout.js';
import { MEMORY_RETRY_MS, MEMORY_WAIT_MAX_MS } from '../server/start-server.js';
import { runTool } from './run-tool.js';

/**
 * Creates the role that the service assumes for tenants' reads, and lets the service end the write-ahead log that holds erased
 * content. One statement per line; idempotent. Rights to functions are those of the database that it runs in.
 */
export const GRANTS_SQL: readonly string[] = [
  `DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${READER}') THEN CREATE ROLE ${READER} NOLOGIN; END IF; END $$`,
  `GRANT ${READER} TO ${DATABASE}`,
  `GRANT pg_checkpoint TO ${DATABASE}`,
  `GRANT EXECUTE ON FUNCTION pg_switch_wal() TO ${DATABASE}`,
];

/**
 * Adds the grants to an older cluster. Only a superuser may, whose password was discarded: runs the server in
 * single-user mode, without a network. Performs crash recovery, as any start does.
 */
export const addGrants = async (
  { postgres, env }: Installation,
  dataDir: string,
  signal: AbortSignal,
): Promise<void> => {
  const cluster = clusterOf(dataDir);
  if (existsSync(grantsFileOf(cluster))) return;
  const args = ['--single', '-D', cluster, '-c', 'exit_on_error=on', DATABASE];
  const input = `${GRANTS_SQL.join('\n')}\n`;
  const heldUntil = Date.now() + MEMORY_WAIT_MAX_MS;
  for (;;) {
    try {
      await runTool({ program: postgres, args, env, input, dataDir, signal });
      break;
    } catch (error) {
      if (!isMemoryInUse([messageOf(error)]) || Date.now() > heldUntil) throw error;
      await delay(MEMORY_RETRY_MS, undefined, { signal });
    }
  }
  // Without this file the idempotent statements run again.
  writeFileSync(grantsFileOf(cluster), '', { mode: 0o600 });
};
