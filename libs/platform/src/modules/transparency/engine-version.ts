import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Returns the version in the `package.json` of this installation; `unknown` inside a bundle of another program. */
export const engineVersion = (): string => {
  if (!import.meta.url.startsWith('file:')) return 'unknown';
  for (
    let folder = dirname(fileURLToPath(import.meta.url));
    folder !== dirname(folder);
    folder = dirname(folder)
  ) {
    const file = join(folder, 'package.json');
    if (!existsSync(file)) continue;
    const { name, version } = JSON.parse(readFileSync(file, 'utf8'));
    if (name === 'palimpsest' && typeof version === 'string') return version;
  }
  return 'unknown';
};
