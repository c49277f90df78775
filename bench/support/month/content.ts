import type { Random } from './random.js';

const WORDS =
  'the build server reads config from disk and writes a report when tests pass or fail because the cache was stale and the retry policy waits before it asks again for a token that the session needs while users edit files in parallel and a queue delivers messages in order to each worker process without losing any of them'.split(
    ' ',
  );
const NAMES = [
  'parseConfig',
  'retryAfterMs',
  'sessionStore',
  'applyPatch',
  'readTail',
  'queueDepth',
  'tokenBucket',
];
const PATHS = ['src/config.ts', 'src/queue/worker.ts', 'lib/cache.ts', 'test/retry.spec.ts', 'docs/setup.md'];

/** Prose of about `words` words. */
export const prose = (random: Random, words: number): string => {
  const said: string[] = [];
  for (let at = 0; at < words; at += 1) said.push(random.of(WORDS));
  return `${said.join(' ')}.`;
};

/** Source code of `lines` lines. */
export const code = (random: Random, lines: number): string =>
  Array.from({ length: lines }, (_, at) => {
    const [name, other] = [random.of(NAMES), random.of(NAMES)];
    return at % 5 === 4
      ? `  if (${name}.length > ${random.below(9_000)}) throw new RangeError(\`${other}: \${${name}}\`);`
      : `  const ${name}${at} = await ${other}({ limit: ${random.below(500)}, path: '${random.of(PATHS)}' });`;
  }).join('\n');

/** A JSON document of `records` records. */
export const json = (random: Random, records: number): string =>
  JSON.stringify(
    Array.from({ length: records }, (_, id) => ({
      id: id * 7 + random.below(1_000),
      name: random.of(NAMES),
      path: random.of(PATHS),
      ok: random.below(2) === 0,
      note: prose(random, 6),
    })),
  );

/** Command output of `lines` lines. */
const log = (random: Random, lines: number): string =>
  Array.from(
    { length: lines },
    () =>
      `2026-11-${10 + random.below(18)}T0${random.below(9)}:${10 + random.below(49)}:03Z ${random.of(['INFO', 'WARN', 'ERROR'])} ${random.of(PATHS)}:${random.below(400)} ${prose(random, 8)}`,
  ).join('\n');

/** A tool result of one of four kinds; `size` is about the number of lines. */
export const toolOutput = (random: Random, size: number): string =>
  random.of([code, log, json, (one: Random, lines: number) => prose(one, lines * 9)])(
    random,
    Math.max(1, size),
  );
