/**
 * The extractive summarizer: the cost of a summary compared with counting the tokens of the same text with the bare
 * tokenizer, up to 5,000,000 tokens; the losses of five consecutive compactions compared with one; and coverage of
 * what recorded sessions need later, by the measures stored with them, if available.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { summarizerAlone } from '@app/adapters/summarizer-extractive';
import { openTokenCounter } from '@app/adapters/tokens-tiktoken';
import { fidelityOf, type Message } from '@app/domain';
import { get_encoding } from 'tiktoken';
import { workingSession } from './support/extraction/working-session.js';
import { readInvocation } from './support/invocation.js';
import { fixed, note, report, whole } from './support/report.js';
import { median, millisecondsOf, ratioOf, takeTurns } from './support/rounds.js';

const PROMISED = 2;
const SIZE_MAX = 4_000;
const { quick } = readInvocation();
const SIZES = quick ? [50_000, 500_000] : [50_000, 500_000, 5_000_000];
/** The longest takes a minute per round. */
const timesFor = (size: number) =>
  size > 1_000_000 ? { rounds: 3, warmUps: 0 } : { rounds: quick ? 3 : 5, warmUps: 1 };
const ROUNDS = 5;

const counter = openTokenCounter();
const summarize = summarizerAlone(counter);
const summaryOf = (messages: readonly Message[], previousSummary?: string): Promise<string> =>
  summarize({ messages, sizeMax: SIZE_MAX, ...(previousSummary !== undefined && { previousSummary }) });

/** The bare tokenizer: the engine's counter caches words. */
const tokenizer = get_encoding('o200k_base');
const countAll = (texts: readonly string[]): void => {
  for (const text of texts) tokenizer.encode_ordinary(text);
};

const rows: string[][] = [];
const ratios: number[] = [];
for (const size of SIZES) {
  const messages = workingSession(size);
  const texts = messages.map(({ blocks }) => JSON.stringify(blocks));
  const took = await takeTurns(
    {
      summary: () => millisecondsOf(() => summaryOf(messages)),
      tokens: () => millisecondsOf(() => countAll(texts)),
    },
    timesFor(size),
  );
  const [summary = [], tokens = []] = [took.get('summary'), took.get('tokens')];
  const ratio = ratioOf(summary, tokens);
  ratios.push(ratio);
  rows.push([
    whole(size),
    whole(messages.length),
    fixed(median(summary), 0),
    fixed(median(tokens), 0),
    fixed(ratio),
  ]);
}
report(
  `extract: at most ${fixed(Math.max(...ratios))} of counting the tokens (promised: ${PROMISED})`,
  ['tokens', 'messages', 'summary, ms', 'counting, ms', 'ratio'],
  rows,
);

/** The share of the session that remains in the summary after a number of compactions. */
const session = workingSession(100_000);
const one = fidelityOf(session, await summaryOf(session), []);
let summary: string | undefined;
const curve: string[][] = [];
for (let round = 1; round <= ROUNDS; round += 1) {
  const part = (at: number): number => Math.floor((session.length * at) / ROUNDS);
  summary = await summaryOf(session.slice(part(round - 1), part(round)), summary);
  const seen = session.slice(0, part(round));
  const atOnce = fidelityOf(seen, await summaryOf(seen), []);
  const folded = fidelityOf(seen, summary, []);
  curve.push([
    whole(round),
    fixed(folded.score, 3),
    fixed(atOnce.score, 3),
    `${folded.directives.kept} of ${folded.directives.of}`,
    `${atOnce.directives.kept} of ${atOnce.directives.of}`,
  ]);
}
report(
  `extract: ${ROUNDS} consecutive compactions retain ${curve.at(-1)?.[1]}, a single one retains ${fixed(one.score, 3)}`,
  ['compactions', 'names, consecutive', 'names, single', 'instructions, consecutive', 'instructions, single'],
  curve,
);

const transcripts = resolve(process.env.PALIMPSEST_TRANSCRIPTS ?? '../shared/transcripts');
const recall = join(dirname(transcripts), 'tools/recall.mjs');
if (!quick && existsSync(recall)) {
  const program = join(dirname(fileURLToPath(import.meta.url)), '../programs/palimpsest.js');
  const asked = ['run', `'${process.execPath}' '${program}' extract`, '--budgets', '1000,2000,4000,8000'];
  const child = spawn(process.execPath, [recall, ...asked, join(transcripts, 'MANIFEST.json')], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  await new Promise((done) => child.once('exit', done));
} else if (!quick) note('no recorded sessions with measures: set PALIMPSEST_TRANSCRIPTS to their folder');
