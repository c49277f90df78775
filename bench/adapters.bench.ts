/**
 * Latency that each adapter adds to a request of an agent with a context of 200,000 tokens: the sample of its framework reads a report
 * until its context is that long, and goes on with short pages. A local model answers at once; the time from its answer to the
 * next request is the agent's. The same program runs without the adapter. Names of adapters select some of them.
 */
import { answer, call, inputTokensOf } from '@app/testing/providers';
import { FRAMEWORKS, type Framework } from '../test/support/frameworks/frameworks.js';
import { type Installed, install } from '../test/support/frameworks/install.js';
import { modelEnv, startModelServer } from '../test/support/frameworks/model-server.js';
import { bundleSample, runSample } from '../test/support/frameworks/run-sample.js';
import { readInvocation } from './support/invocation.js';
import { ADMIN_KEY, Service } from './support/load/service.js';
import { fixed, note, report, whole } from './support/report.js';
import { median, quantile } from './support/rounds.js';

const PROMISED_MS = 20;
const WINDOW = 400_000;
const TIMEOUT_MS = 600_000;
const { quick, folder } = readInvocation();
const { ADAPTERS = '' } = process.env;
/** Long pages have some 1,300 tokens. */
const [LONG, MEASURED] = quick ? [20, 40] : [155, 200];

type Timed = { readonly gaps: readonly number[]; readonly tokens: number };

const service = await Service.start(folder);
const columns = FRAMEWORKS.filter(({ name }) => ADAPTERS === '' || ADAPTERS.split(',').includes(name));

/** Runs a program, and returns the milliseconds between each answer and the next request of the measured part. */
const timed = async (installed: Installed, program: string): Promise<Timed> => {
  const { framework } = installed;
  let page = 0;
  const read = async () => {
    page += 1;
    if (page > LONG + MEASURED) return answer('Done.');
    return answer(call(framework.tool ?? 'read_page', { page }, `call_${page}`));
  };
  const model = await startModelServer(framework, read, 1_000_000);
  const env = {
    ...{ PALIMPSEST_URL: service.url, PALIMPSEST_API_KEY: ADMIN_KEY, LONG_PAGES: String(LONG) },
    ...{ SESSION: `latency-${framework.name}`, DISABLE_AUTO_COMPACT: '1' },
    ...modelEnv(model),
  };
  const { code, stdout, stderr } = await runSample(installed, program, ['Read it.'], env, TIMEOUT_MS);
  await model.close();
  const asked = model.requests.filter(({ method, body }) => method === 'POST' && 'tools' in body);
  if (code !== 0 || asked.length !== LONG + MEASURED + 1)
    throw new Error(`${framework.name}: ended with ${code} after ${asked.length}: ${stdout} ${stderr}`);
  const gaps = asked.slice(LONG + 1).map((next, at) => next.arrivedAt - (asked[LONG + at]?.answeredAt ?? 0));
  const last = asked.at(-1);
  return { gaps, tokens: last ? inputTokensOf(last) : 0 };
};

const edit = (source: string): string =>
  source.replaceAll('window: 16_000', `window: ${WINDOW}`).replaceAll(/\b99\b/g, '999');
const REPORT = 'bench/support/adapters/long-report.ts';
const bundle = (installed: Installed, name: string, adapters?: string) =>
  bundleSample(installed, { ...{ name, report: REPORT, edit }, ...(adapters !== undefined && { adapters }) });

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
    ...[`${framework.package} ${installed.version}`, whole(ours.tokens)],
    ...[median(without.gaps), median(ours.gaps), ...added].map((ms) => fixed(ms, 1)),
  ];
  rows.push(row);
  note(row.join('  '));
};
try {
  for (const framework of columns) await measure(framework);
} finally {
  await service.stop();
}

report(
  `adapters: the slowest adds ${fixed(worst, 1)} ms to a request of ${whole(200_000)} tokens (p99, promised ≤ ${PROMISED_MS})`,
  ['', 'tokens', 'without, median', 'with', 'added, median', 'added, p99'],
  rows,
);
process.exit(worst <= PROMISED_MS ? 0 : 1);
