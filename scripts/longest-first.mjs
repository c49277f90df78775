// Jest's order of spec files: files that usually take long begin first, so that the workers end at the same time. On a machine
// without jest's cache, as in CI, jest would order them by their size.
import { readFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import Sequencer from '@jest/test-sequencer';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** In seconds, by path; shorter files are absent. */
const usual = JSON.parse(readFileSync(`${root}/test/usual-times.json`, 'utf8'));
const secondsOf = ({ path }) => usual[relative(root, path)] ?? 0;

export default class LongestFirst extends Sequencer {
  sort(tests) {
    return super.sort(tests).sort((one, other) => secondsOf(other) - secondsOf(one));
  }
}
