/**
 * Imports a generated session log of Copilot CLI, in which the agent compacts as often as a window of 200,000 tokens
 * requires: rate and memory. Compared with two upper bounds: a bare `JSON.parse` of the same lines, and the bare
 * client's appends of the same events to the same server, in appends of an import's size.
 */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { openTokenCounter } from '@app/adapters/tokens-tiktoken';
import { openTranscript } from '@app/formats';
import { Actor, invariant, TenantId } from '@app/kernel';
import { boundHeapGrowth } from '@app/platform';
import { openApplication } from '@app/testing';
import { type RunningStore, withEventStore } from './support/event-store.js';
import { appendAgain } from './support/imports/append-again.js';
import { parseLines } from './support/imports/parse-lines.js';
import { writeLog } from './support/imports/write-log.js';
import { readInvocation } from './support/invocation.js';
import { fixed, note, report, whole } from './support/report.js';
import { millisecondsOf } from './support/rounds.js';

/** The command's chunk size. */
const CHUNK_BYTES = 256 * 1024;
/** Compared with the slower of the two. */
const PROMISED = 0.7;
const PROMISED_MB = 300;
boundHeapGrowth(20); // As the command does.
const { quick, folder } = readInvocation();
/** In MB; `PALIMPSEST_BENCH_MB` sets another size. */
const SIZE = Number(process.env.PALIMPSEST_BENCH_MB ?? (quick ? 50 : 1_000));

const importOf = (store: RunningStore, file: string) => async (): Promise<void> => {
  const application = openApplication({ ...store, counter: openTokenCounter() });
  const { format, items } = await openTranscript(createReadStream(file, { highWaterMark: CHUNK_BYTES }), {
    name: file,
  });
  const options = { tenant: TenantId('bench'), profile: 'core', window: 1_000_000 };
  const { sessions, skipped } = await application.importer.import(format, items, options, {
    actor: Actor('bench'),
  });
  invariant(sessions.length === 1 && skipped.length === 0, 'everything in the file is imported');
  note(JSON.stringify(sessions[0]));
};

const measure = async (store: RunningStore): Promise<void> => {
  const file = join(folder, 'events.jsonl');
  await writeLog(file, SIZE * 1_000_000);
  const megabytes = (await stat(file)).size / 1e6;
  const imported = await millisecondsOf(importOf(store, file));
  const peak = process.resourceUsage().maxRSS / 1_000;
  const parsed = await millisecondsOf(() => parseLines(file));
  const { events, appends, milliseconds: appended } = await appendAgain(store);
  const slower = Math.max(parsed, appended);
  const row = (name: string, took: number): readonly string[] => [
    name,
    fixed(megabytes / (took / 1_000), 1),
    fixed(took / 1_000, 1),
  ];
  report(
    `import: ${fixed(slower / imported)} times the rate of the slower upper bound (promised ≥ ${PROMISED}), ` +
      `with ${whole(peak)} MB at its peak (promised ≤ ${PROMISED_MB})`,
    [`${whole(megabytes)} MB, ${whole(events)} events`, 'MB/s', 'seconds'],
    [
      row('import', imported),
      row('bare JSON.parse', parsed),
      row(`bare appends, ${whole(appends)}`, appended),
    ],
  );
};

await withEventStore(folder, measure);
