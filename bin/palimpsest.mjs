#!/usr/bin/env node
// Starts the command line from what `npm ci` built. Node 12 must be able to parse this file: it has no `await` at its top.
import { existsSync } from 'node:fs';

const main = new URL('../dist/programs/palimpsest.js', import.meta.url);
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(
    `palimpsest: Node ${process.versions.node} is too old: install Node 20.19 or newer from https://nodejs.org\n`,
  );
  process.exitCode = 1;
} else if (existsSync(main)) {
  import(main.href);
} else {
  process.stderr.write('palimpsest is not built yet: run `npm run build` in its folder first\n');
  process.exitCode = 1;
}
