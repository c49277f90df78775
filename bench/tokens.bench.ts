/**
 * Counting tokens of texts that tokenizers are slow on, against ordinary English through the same counter, and that
 * against the bare tokenizer. Each text is a megabyte of UTF-8 and differs from round to round, so that nothing is
 * remembered.
 */
import { openTokenCounter } from '@app/adapters/tokens-tiktoken';
import { get_encoding } from 'tiktoken';
import { readInvocation } from './support/invocation.js';
import { fixed, report } from './support/report.js';
import { median, millisecondsOf, ratioOf, takeTurns } from './support/rounds.js';
import { prose } from './support/sessions/texts.js';

const MEGABYTE = 1_000_000;
const { quick } = readInvocation();
const TIMES = { rounds: quick ? 3 : 9, warmUps: 1 };

const counter = openTokenCounter();
const bare = get_encoding('o200k_base');
let round = 0;

/** `unit` again and again to a megabyte of UTF-8, behind a number that makes it new. */
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
const peer = of('English prose');
const worst = Math.max(...Object.keys(TEXTS).map((name) => ratioOf(of(name), peer)));
report(
  `tokens: the slowest of these texts takes ${fixed(worst)} times as long as English prose, ` +
    `and that ${fixed(ratioOf(peer, of('English prose, bare tokenizer')))} times as long as with the bare tokenizer`,
  ['1 MB of', 'median ms', 'ratio to English prose'],
  [...took.keys()].map((name) => [name, fixed(median(of(name)), 0), fixed(ratioOf(of(name), peer))]),
);
