// How long each test and hook may take: ten times the usual time of its whole file, and at least two minutes. A test that
// hangs fails then; one that is slow on a busy machine does not. `test/usual-times.json` has the files that usually take
// more than twelve seconds; `UPDATE_USUAL_TIMES=1 npm test` writes it anew.
import { readFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, jest } from '@jest/globals';

const TIMES = 10;
const SHORTEST_SECONDS = 12;

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** In seconds, by path. */
const usual = new Map(Object.entries(JSON.parse(readFileSync(`${root}/test/usual-times.json`, 'utf8'))));
const path = relative(root, expect.getState().testPath ?? '');
jest.setTimeout(TIMES * 1_000 * Math.max(SHORTEST_SECONDS, usual.get(path) ?? 0));
