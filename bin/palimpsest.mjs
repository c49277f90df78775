#!/usr/bin/env node
// Starts the command line from what `npm ci` built.
import { existsSync } from 'node:fs';

const main = new URL('../dist/programs/palimpsest.js', import.meta.url);
if (existsSync(main)) {
  await import(main.href);
} else {
  process.stderr.write('palimpsest is not built yet: run `npm run build` in its folder first\n');
  process.exitCode = 1;
}
