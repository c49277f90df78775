/**
 * Many concurrent seeded requests of a malicious tenant to all routes, the gateway and the importers. Measures safety
 * instead of speed: no server error, no data of another tenant, no blocked event loop, and no leaked memory.
 */
import { join } from 'node:path';
import { caughtUp, makeWorld, runHostile, seenByBystander } from '@app/testing/hostile';
import { AnthropicServer, OpenAiServer } from '@app/testing/providers';
import { keepLogsOfFaults } from './support/hostile/keep-logs.js';
import { worstLegal } from './support/hostile/worst.js';
import { readInvocation } from './support/invocation.js';
import { watchIdleLoop } from './support/load/idle-loop.js';
import type { LoopDelay } from './support/load/loop-delay.js';
import { ADMIN_KEY, logOf, Service } from './support/load/service.js';
import { fixed, note, report } from './support/report.js';

const { quick, folder } = readInvocation();
const SEED = Number(process.env.PALIMPSEST_HOSTILE_SEED ?? Date.now() % 100_000);
const COUNT = Number(process.env.PALIMPSEST_HOSTILE_COUNT ?? (quick ? 2_000 : 100_000));
const { PALIMPSEST_HOSTILE_ONLY: ONLY } = process.env;
const AT_ONCE = 16;
const LOOP_MS_MAX = 200;
const PARTS = 4;
const EACH = 'in each quarter';

const each = <Value>(values: readonly Value[], of: (value: Value) => number): string =>
  values.map((value) => fixed(of(value), 0)).join(', ');

note(`seed ${SEED}, ${COUNT} requests`);
const [anthropic, openai] = [await AnthropicServer.start(), await OpenAiServer.start()];
const data = join(folder, 'data');
const postgres = join(data, 'postgres');
keepLogsOfFaults([logOf(data), join(postgres, 'server.log'), join(postgres, 'server.log.1')]);
const service = await Service.start(data, {
  PALIMPSEST_SUMMARIZER: 'extractive',
  PALIMPSEST_WEBHOOK_ALLOW_PRIVATE: 'true',
  PALIMPSEST_SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
  PALIMPSEST_GATEWAY_ANTHROPIC: anthropic.url,
  PALIMPSEST_GATEWAY_OPENAI: `${openai.url}/v1`,
  PALIMPSEST_HTTP_BODY_IDLE_TIMEOUT_MS: '300',
});
const world = await makeWorld(service.url, ADMIN_KEY);
await caughtUp(service.url);
const seen = await seenByBystander(world);
const before = { ...(await service.live()), rss: (await service.memory()).service };

const codes = new Map<string, Map<string, number>>();
const slowest = new Map<string, number>();
let answered = 0;
const onAnswer = (route: string, status: string, ms: number): void => {
  const ofRoute = codes.get(route) ?? new Map<string, number>();
  codes.set(route, ofRoute.set(status, (ofRoute.get(status) ?? 0) + 1));
  slowest.set(route, Math.max(slowest.get(route) ?? 0, ms));
  answered += 1;
  if (answered % 1_000 === 0) {
    note(`${answered} answered`);
    for (const server of [anthropic, openai]) server.forget();
  }
};
// The heap after each part shows whether memory grows with requests.
const parts = ONLY === undefined ? PARTS : 1;
const faults: string[] = [];
const loops: LoopDelay[] = [];
const idles: LoopDelay[] = [];
const heaps: number[] = [];
for (let part = 0; part < parts; part += 1) {
  const count = ONLY === undefined ? Math.ceil(COUNT / parts) : 1;
  const from = ONLY === undefined ? part * count : Number(ONLY);
  const endIdle = await watchIdleLoop();
  await service.watchLoop();
  faults.push(...(await runHostile(world, { seed: SEED, from, count, atOnce: AT_ONCE, onAnswer })));
  loops.push(await service.watchLoop());
  idles.push(await endIdle());
  heaps.push((await service.live()).heap);
}
const longest = Math.max(...loops.map(({ maxMs }) => maxMs));
for (const fault of faults) note(fault);
await caughtUp(service.url);
const stopped = await fetch(`${service.url}/v1/projections/stopped`, {
  headers: { authorization: `Bearer ${ADMIN_KEY}` },
});
const rows = await stopped.text();
const isStopped = !rows.includes('"items":[]');
if (isStopped) note(`stopped rows: ${rows}`);
const now = await seenByBystander(world);
const changed = [...seen].filter(([path, text]) => now.get(path) !== text).map(([path]) => path);
for (const path of changed) note(`${path} has changed for a bystander`);
const after = { ...(await service.live()), rss: (await service.memory()).service };
const worst = await worstLegal(service);
const began = performance.now();
await service.stop();
await Promise.all([anthropic.close(), openai.close()]);

const routes = [...codes].sort(([a], [b]) => a.localeCompare(b));
report(
  `hostile: seed ${SEED}, ${answered} requests: ${faults.length} faults, ${changed.length} changed answers for a bystander, ` +
    `${isStopped ? 'rows stopped' : 'no row stopped'} (promised: none); loop delay at most ${fixed(longest, 0)} ms (promised: ${LOOP_MS_MAX})`,
  ['', 'value'],
  [
    [`loop delay p50 ${EACH}, ms`, each(loops, ({ p50Ms }) => p50Ms)],
    [`loop delay p99 ${EACH}, ms`, each(loops, ({ p99Ms }) => p99Ms)],
    [`loop delay longest ${EACH}, ms`, each(loops, ({ maxMs }) => maxMs)],
    [`of an idle thread beside it, ms`, each(idles, ({ maxMs }) => maxMs)],
    ['heap before, MB', fixed(before.heap, 0)],
    [`heap ${EACH}, MB`, each(heaps, (heap) => heap)],
    ['heap after, MB', fixed(after.heap, 0)],
    ['resident before, MB', fixed(before.rss, 0)],
    ['resident after, MB', fixed(after.rss, 0)],
    ['SIGTERM to the end, ms', fixed(performance.now() - began, 0)],
    ...worst.map(({ what, status, loopMs, ms }) => [
      `loop delay by ${what}, ms`,
      `${fixed(loopMs, 0)} (${status} in ${fixed(ms, 0)} ms)`,
    ]),
    ...routes.map(([route, counts]) => [
      route,
      `${[...counts]
        .sort()
        .map(([status, count]) => `${status}: ${count}`)
        .join(', ')}; ${fixed(slowest.get(route) ?? 0, 0)} ms`,
    ]),
  ],
);
if (faults.length > 0 || changed.length > 0 || isStopped || longest > LOOP_MS_MAX) process.exitCode = 1;
