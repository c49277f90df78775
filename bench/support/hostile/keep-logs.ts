import { copyFileSync, existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { note } from '../report.js';

/**
 * Copies logs to a new folder, which stays, if this process ends with a fault. The folder of a benchmark is removed with its
 * servers' logs, and they alone tell why one of them stalled.
 */
export const keepLogsOfFaults = (paths: readonly string[]): void => {
  process.once('exit', (code) => {
    if (code === 0) return;
    const folder = mkdtempSync(join(tmpdir(), 'palimpsest-hostile-logs-'));
    for (const path of paths) if (existsSync(path)) copyFileSync(path, join(folder, basename(path)));
    note(`the logs of the service and of PostgreSQL are in ${folder}`);
  });
};
