/**
 * Counts tokens of texts that are slow for tokenizers, and of ordinary English, compared with English in the bare
 * tokenizer. Each text is a megabyte of UTF-8 and unique per round, so that nothing is cached.
 *
 * Then measures the errors of estimates of whole recorded prompts against providers' reports, before and after
 * calibration by earlier requests of the same session.
 */
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { readModels } from '@app/adapters/models-file';
import { openTokenCounter } from '@app/adapters/tokens-tiktoken';
import { type PromptError, promptErrors, quantile, recordedPrompts } from '@app/testing';
import { get_encoding } from 'tiktoken';
import { readInvocation } from './support/invocation.js';
import { fixed, note, report } from './support/report.js';
import { median, millisecondsOf, ratioOf, takeTurns } from './support/rounds.js';
import { prose } from './support/sessions/texts.js';

const PROMISED = 1.5;
const MEGABYTE = 1_000_000;
const { quick } = readInvocation();
const TIMES = { rounds: quick ? 3 : 9, warmUps: 1 };

const counter = openTokenCounter();
const bare = get_encoding('o200k_base');
let round = 0;

/** Repeats `unit` to a megabyte of UTF-8 after a unique number. */
const text = (unit: string): string => {
  round += 1;
  return `${round} ${unit.repeat(Math.floor(MEGABYTE / Buffer.byteLength(unit)))}`;
};
const base64 = (): string => {
  round += 1;
  const bytes = Buffer.alloc(MEGABYTE * 0.75, 0);
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = (at * 2_654_435_761 + round * 40_503) >>> 13;
  return bytes.toString('base64');
};
const english = (): string => `${round++} ${prose(round, MEGABYTE)}`;
const counted = (make: () => string) => (): Promise<number> => {
  const made = make();
  return millisecondsOf(() => counter.count(made));
};

const TEXTS = {
  'one letter': counted(() => text('a')),
  spaces: counted(() => text(' ')),
  newlines: counted(() => text('\n')),
  'slash and newline': counted(() => text('/\n')),
  base64: counted(base64),
  'Chinese, one character': counted(() => text('中')),
  emoji: counted(() => text('😀')),
};
const took = await takeTurns<string>(
  {
    ...TEXTS,
    'English prose': counted(english),
    'English prose, bare tokenizer': () => {
      const made = english();
      return millisecondsOf(() => bare.encode_ordinary(made).length);
    },
  },
  TIMES,
);
bare.free();

const of = (name: string): readonly number[] => took.get(name) ?? [];
const peer = of('English prose, bare tokenizer');
const worst = Math.max(...Object.keys(TEXTS).map((name) => ratioOf(of(name), peer)));
report(
  `tokens: the slowest text takes ${fixed(worst)} times as long as English prose with the bare tokenizer (promised ≤ ${PROMISED}), ` +
    `and English prose ${fixed(ratioOf(of('English prose'), peer))} times as long`,
  ['1 MB of', 'median ms', 'ratio to English prose, bare'],
  [...took.keys()].map((name) => [name, fixed(median(of(name)), 0), fixed(ratioOf(of(name), peer))]),
);

const FOLDER = resolve(process.env.PALIMPSEST_TRANSCRIPTS ?? '../shared/transcripts');
const KINDS = ['claude-code', 'pi', 'anthropic-messages'];
const recorded = async (): Promise<readonly string[]> => {
  const found = KINDS.map(async (kind) => {
    const names = await readdir(join(FOLDER, kind)).catch(() => []);
    return names.sort().map((name) => join(FOLDER, kind, name));
  });
  return (await Promise.all(found)).flat();
};
const percent = (share: number): string => `${fixed(share * 100, 1)} %`;
const cellsOf = (errors: readonly PromptError[]): readonly string[] =>
  (['before', 'after'] as const).flatMap((of) => {
    const shares = errors.map((error) => error[of]);
    return [percent(quantile(shares, 0.5)), percent(quantile(shares, 0.9))];
  });

const catalog = readModels();
const rows: (readonly string[])[] = [];
const all: PromptError[] = [];
for (const file of await recorded()) {
  const errors = promptErrors(await recordedPrompts(createReadStream(file), file, counter), catalog);
  if (errors.length === 0) continue;
  all.push(...errors);
  rows.push([basename(file), String(errors.length), ...cellsOf(errors)]);
}
if (all.length === 0) note('no recorded sessions with usage: set PALIMPSEST_TRANSCRIPTS to their folder');
else {
  const [beforeMedian, , afterMedian] = cellsOf(all);
  report(
    `tokens: estimates of ${all.length} recorded prompts are off by ${beforeMedian} in the median before calibration, and ` +
      `by ${afterMedian} after it (promised ≤ 10 %)`,
    ['session', 'requests', 'before, median', 'before, p90', 'after, median', 'after, p90'],
    [...rows, ['all', String(all.length), ...cellsOf(all)]],
  );
}
