/**
 * Many concurrent seeded requests of a malicious tenant to all routes, the gateway and the importers. Measures safety
 * instead of speed: no server error, no data of another tenant, no blocked event loop, and no leaked memory.
 */
import { join } from 'node:path';
import { caughtUp, makeWorld, runHostile, seenByBystander } from '@app/testing/hostile';
import { AnthropicServer, OpenAiServer } from '@app/testing/providers';
import { worstLegal } from './support/hostile/worst.js';
import { readInvocation } from './support/invocation.js';
import { ADMIN_KEY, Service } from './support/load/service.js';
import { fixed, note, report } from './support/report.js';

const { quick, folder } = readInvocation();
const SEED = Number(process.env.PALIMPSEST_HOSTILE_SEED ?? Date.now() % 100_000);
const COUNT = Number(process.env.PALIMPSEST_HOSTILE_COUNT ?? (quick ? 2_000 : 100_000));
const { PALIMPSEST_HOSTILE_ONLY: ONLY } = process.env;
const AT_ONCE = 16;
const LOOP_MS_MAX = 200;

note(`seed ${SEED}, ${COUNT} requests`);
const [anthropic, openai] = [await AnthropicServer.start(), await OpenAiServer.start()];
const service = await Service.start(join(folder, 'data'), {
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
await service.watchLoop();

const codes = new Map<string, Map<string, number>>();
const slowest = new Map<string, number>();
let answered = 0;
const faults = await runHostile(world, {
  ...{ seed: SEED, count: COUNT, atOnce: AT_ONCE },
  ...(ONLY !== undefined && { only: Number(ONLY) }),
  onAnswer: (route, status, ms) => {
    const ofRoute = codes.get(route) ?? new Map<string, number>();
    codes.set(route, ofRoute.set(status, (ofRoute.get(status) ?? 0) + 1));
    slowest.set(route, Math.max(slowest.get(route) ?? 0, ms));
    answered += 1;
    if (answered % 1_000 === 0) {
      note(`${answered} answered`);
      for (const server of [anthropic, openai]) server.forget();
    }
  },
});
const loop = await service.watchLoop();
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
    `${isStopped ? 'rows stopped' : 'no row stopped'} (promised: none); loop delay at most ${fixed(loop.maxMs, 0)} ms (promised: ${LOOP_MS_MAX})`,
  ['', 'value'],
  [
    ['loop delay p50, ms', fixed(loop.p50Ms, 1)],
    ['loop delay p99, ms', fixed(loop.p99Ms, 1)],
    ['loop delay longest, ms', fixed(loop.maxMs, 1)],
    ['heap before, MB', fixed(before.heap, 0)],
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
if (faults.length > 0 || changed.length > 0 || isStopped || loop.maxMs > LOOP_MS_MAX) process.exitCode = 1;
