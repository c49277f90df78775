/**
 * A simulated month: sessions of different agents through API and gateway, with local providers that bill with their
 * own tokenizers, fail occasionally, and answer before or after a compaction has ended. Every number that the service
 * reports is compared with the provider's bills and a recomputation from the log.
 */
import 'reflect-metadata';
import { join } from 'node:path';
import { readInvocation } from './support/invocation.js';
import { ADMIN_KEY, Service } from './support/load/service.js';
import { playMonth, providersOf } from './support/month/month.js';
import type { TOKENIZERS } from './support/month/tokenizer.js';
import { fixed, note, report, whole } from './support/report.js';
import { median, quantile } from './support/rounds.js';

const { quick, folder } = readInvocation();
const SESSIONS = Number(process.env.PALIMPSEST_BENCH_SESSIONS ?? (quick ? 24 : 200));
const TURNS = Number(process.env.PALIMPSEST_BENCH_TURNS ?? (quick ? 12 : 24));
const SEED = Number(process.env.PALIMPSEST_BENCH_SEED ?? 1);
const AT_ONCE = 8;
const SHOWN_MAX = 40;

const names = ['dense', 'plain', 'wordy'] as const satisfies readonly (keyof typeof TOKENIZERS)[];
const faults: string[] = [];
const rows: string[][] = [];
for (const [at, tokenizer] of names.entries()) {
  const options = {
    seed: SEED + at,
    sessions: Math.ceil(SESSIONS / names.length),
    turns: TURNS,
    atOnce: AT_ONCE,
    tokenizer,
  };
  const providers = await providersOf(options);
  const service = await Service.start(join(folder, tokenizer), {
    PALIMPSEST_GATEWAY_ANTHROPIC: providers.anthropic.url,
    PALIMPSEST_GATEWAY_OPENAI: `${providers.openai.url}/v1`,
  });
  const world = { url: service.url, key: ADMIN_KEY, client: service.admin, providers };
  const month = await playMonth(world, options);
  await service.stop();
  await providers.stop();
  faults.push(...month.faults);
  const off = month.verdicts.flatMap((verdict) => verdict.off);
  const sum = (of: 'requests' | 'compactions'): number =>
    month.verdicts.reduce((all, one) => all + one[of], 0);
  rows.push([
    tokenizer,
    whole(options.sessions),
    whole(sum('requests')),
    whole(sum('compactions')),
    `${fixed(median(off) * 100)} %`,
    `${fixed(quantile(off, 0.95) * 100)} %`,
    `${fixed(quantile(off, 0.99) * 100)} %`,
    `${fixed(Math.max(0, ...off) * 100)} %`,
    whole(month.verdicts.flatMap(({ far }) => far).length),
    whole(month.faults.length),
  ]);
}
for (const fault of faults.slice(0, SHOWN_MAX)) note(fault);
if (faults.length > SHOWN_MAX) note(`and ${faults.length - SHOWN_MAX} more`);
report(
  `month: ${faults.length} faults (promised: none)`,
  [
    'tokenizer',
    'sessions',
    'requests',
    'compactions',
    'off, median',
    'p95',
    'p99',
    'most',
    'off by more than 2 %',
    'faults',
  ],
  rows,
);
if (faults.length > 0) process.exitCode = 1;
