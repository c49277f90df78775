/**
 * Latency that each adapter adds to a request of an agent with a context of 200,000 tokens: the sample of its framework reads a report
 * until its context is that long, and goes on with short pages. A local model answers at once; the time from its answer to the
 * next request is the agent's. The same program runs without the adapter. `ADAPTERS`, names with commas, selects some of them.
 * Processor time of the agent and of the service is exact also while other programs run; latency is not.
 */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { answer, call, inputTokensOf, type RecordedRequest } from '@app/testing/providers';
import { FRAMEWORKS, type Framework, GATEWAY } from '../test/support/frameworks/frameworks.js';
import { type Installed, install } from '../test/support/frameworks/install.js';
import { modelEnv, startModelServer } from '../test/support/frameworks/model-server.js';
import { bundleSample, runSample } from '../test/support/frameworks/run-sample.js';
import { chosenBy, readInvocation } from './support/invocation.js';
import { ADMIN_KEY, Service } from './support/load/service.js';
import { fixed, MISSED, note, report, whole } from './support/report.js';
import { median, quantile } from './support/rounds.js';

const PROMISED_MS = 20;
const WINDOW = 400_000;
const TIMEOUT_MS = 600_000;
const { quick, folder } = readInvocation();
/** Long pages have some 1,300 tokens. */
const [LONG, MEASURED] = quick ? [20, 40] : [155, 200];

type Timed = {
  readonly gaps: readonly number[];
  readonly tokens: number;
  /** Milliseconds of processor time for each measured request: of the agent, and of the service without its workers. */
  readonly agentMs: number;
  readonly serviceMs: number;
};

/** Linux counts processor time in hundredths of a second. */
const TICK_MS = 10;
/** Returns the processor time of a process in milliseconds. */
const cpuOf = async (pid: number): Promise<number> => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
};

const columns = chosenBy('ADAPTERS', [...FRAMEWORKS, GATEWAY]);

/** Runs a program, and returns the milliseconds between each answer and the next request of the measured part. */
const timed = async (installed: Installed, program: string): Promise<Timed> => {
  const { framework } = installed;
  let page = 0;
  const cpu: number[] = [];
  const turns: { readonly arrivedAt: number; answeredAt: number }[] = [];
  const read = async ({ arrivedAt, ended }: RecordedRequest) => {
    page += 1;
    const turn = { arrivedAt, answeredAt: 0 };
    turns.push(turn);
    void ended.then(() => {
      turn.answeredAt = performance.now();
    });
    // A gigabyte of earlier requests would cost this process pauses, which would count as the agent's.
    model.requests.splice(0, model.requests.length - 1);
    if (page === LONG + 1 || page === LONG + MEASURED) cpu.push(await cpuOf(service.pid));
    if (page > LONG + MEASURED) return answer('Done.');
    return answer(call(framework.tool ?? 'read_page', { page }, `call_${page}`));
  };
  const model = await startModelServer(framework, read, 1_000_000);
  const service = await Service.start(join(folder, randomUUID()), {
    PALIMPSEST_GATEWAY_OPENAI: `${model.url}/v1`,
  });
  const env = {
    ...{
      LAST_PAGE: String(LONG + MEASURED),
      PALIMPSEST_URL: service.url,
      PALIMPSEST_API_KEY: ADMIN_KEY,
      LONG_PAGES: String(LONG),
    },
    ...{ SESSION: `latency-${framework.name}`, DISABLE_AUTO_COMPACT: '1' },
    ...modelEnv(model),
  };
  const { code, stdout, stderr } = await runSample(installed, program, ['Read it.'], env, TIMEOUT_MS);
  await service.stop();
  await model.close();
  if (code !== 0 || turns.length !== LONG + MEASURED + 1)
    throw new Error(`${framework.name}: ended with ${code} after ${turns.length}: ${stdout} ${stderr}`);
  const gaps = turns.slice(LONG + 1).map((next, at) => next.arrivedAt - (turns[LONG + at]?.answeredAt ?? 0));
  const last = model.requests.at(-1);
  const [begun = 0, ended = 0] = [...stderr.matchAll(/^processor time (\d+)$/gm)].map(([, us]) => Number(us));
  return {
    ...{ gaps, tokens: last ? inputTokensOf(last) : 0, agentMs: (ended - begun) / 1_000 / (MEASURED - 1) },
    serviceMs: ((cpu[1] ?? 0) - (cpu[0] ?? 0)) / (MEASURED - 1),
  };
};

const edit = (source: string): string =>
  source
    .replaceAll('window: 16_000', `window: ${WINDOW}`)
    .replace("'16000'", `'${WINDOW}'`)
    // Claude Code itself refuses a prompt near 200,000 tokens, before it asks the model, unless the model's name asks for a larger window.
    .replace("'claude-opus-4-6'", "'claude-opus-4-6[1m]'")
    .replaceAll(/\b99\b/g, '999');
/** The sample of the gateway without it: it asks the provider itself. */
const direct = (source: string): string =>
  edit(source).replace(/baseURL: .*gateway.*,/, 'baseURL: process.env.OPENAI_BASE_URL,');
const REPORT = 'bench/support/adapters/long-report.ts';
const bundle = (installed: Installed, name: string, adapters?: string) =>
  bundleSample(installed, {
    ...{ name, report: REPORT, edit: adapters === undefined ? edit : direct },
    ...(adapters !== undefined && { adapters }),
  });

const rows: (readonly string[])[] = [];
let worst = 0;
const measure = async (framework: Framework): Promise<void> => {
  const installed = await install(framework);
  if (!installed) return;
  const without = await timed(
    installed,
    await bundle(installed, 'latency-without', 'test/support/frameworks/without'),
  );
  const ours = await timed(installed, await bundle(installed, 'latency'));
  const added = [0.5, 0.99].map((share) => quantile(ours.gaps, share) - quantile(without.gaps, share));
  worst = Math.max(worst, added[1] ?? 0);
  const row = [
    ...[
      `${framework === GATEWAY ? 'gateway, ' : ''}${framework.package} ${installed.version}`,
      whole(ours.tokens),
    ],
    ...[median(without.gaps), median(ours.gaps), ...added].map((ms) => fixed(ms, 1)),
    ...[without.agentMs, ours.agentMs, ours.serviceMs].map((ms) => fixed(ms, 1)),
  ];
  rows.push(row);
  note(row.join('  '));
};
for (const framework of columns) await measure(framework);

report(
  `adapters: the slowest adds ${fixed(worst, 1)} ms to a request of ${whole(200_000)} tokens (p99, promised ≤ ${PROMISED_MS})`,
  [
    ...['', 'tokens', 'without, median', 'with', 'added, median', 'added, p99'],
    ...['processor without', 'with', 'of the service'],
  ],
  rows,
);
process.exit(worst <= PROMISED_MS ? 0 : MISSED);
