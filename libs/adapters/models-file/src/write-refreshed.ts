import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ReportedModel } from '@app/ports';

/**
 * Writes what a provider's endpoint has said of its models, in the place of what it said before. The file appears whole or
 * not at all; the shipped one is never touched.
 */
export const writeRefreshed = (path: string, models: readonly ReportedModel[]): void => {
  const file = { version: 1, currency: 'USD per million tokens', models };
  mkdirSync(dirname(path), { recursive: true });
  const written = `${path}.${process.pid}`;
  writeFileSync(written, `${JSON.stringify(file, null, 2)}\n`);
  renameSync(written, path);
};
