import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where the scratch copy seems to lie. */
const SHOWN_ROOT = '/repo';
/** One output in characters; more is cut, and says so. */
const OUTPUT_MAX = 36_000;

/**
 * The text of a tool's output as it is recorded: without what differs from machine to machine and run to run, that
 * is paths, times, colours, and frames of stack traces outside the project.
 *
 * @param {string} root
 * @param {string} text
 */
export const normalise = (root, text) => {
  const modules = realpathSync(join(root, 'node_modules'));
  const plain = text
    .replaceAll(ANSI, '')
    .replaceAll(root, SHOWN_ROOT)
    .replaceAll(modules, `${SHOWN_ROOT}/node_modules`)
    .replaceAll(tmpdir(), '/tmp')
    .split('\n')
    .filter((line) => !FOREIGN_FRAME.test(line))
    .map((line) => TIMES.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement), line))
    .join('\n');
  if (plain.length <= OUTPUT_MAX) return plain;
  const end = plain.lastIndexOf('\n', OUTPUT_MAX);
  return `${plain.slice(0, end)}\n[${plain.length - end} more characters are not shown]`;
};

const ANSI = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*[A-Za-z]`, 'g');
const FOREIGN_FRAME = /^\s+at .*(?:node_modules|node:internal|\[native code\])/;
/** @type {[RegExp, string][]} */
const TIMES = [
  [/ \(\d+(?:\.\d+)? m?s\)$/, ''],
  [/^Time:\s.*$/, 'Time: (not recorded)'],
  [/^(PASS|FAIL) (\S+) \(.*\)$/, '$1 $2'],
  [/ in \d+(?:\.\d+)?m?s\./, '.'],
];
