import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ReportedModel } from '@app/ports';

/**
 * Writes the models reported by a provider's endpoint, replacing earlier ones. Atomic; the shipped file is never
 * changed.
 */
export const writeRefreshed = (path: string, models: readonly ReportedModel[]): void => {
  const file = { version: 1, currency: 'USD per million tokens', models };
  mkdirSync(dirname(path), { recursive: true });
  const written = `${path}.${process.pid}`;
  writeFileSync(written, `${JSON.stringify(file, null, 2)}\n`);
  renameSync(written, path);
};
