/**
 * What the gateway costs where it compacts nothing: conversations that stream through it, beside the same through a bare
 * streaming proxy, in turns. The model behind both answers at the pace of a fast one.
 */
import { join } from 'node:path';
import { startBareProxy } from './support/gateway/bare-proxy.js';
import { converse, type Talked } from './support/gateway/converse.js';
import { startModel } from './support/gateway/model.js';
import { readInvocation } from './support/invocation.js';
import { ADMIN_KEY, Service } from './support/load/service.js';
import { fixed, note, report } from './support/report.js';
import { median, ratioOf, takeTurns } from './support/rounds.js';

const PROMISED = { throughput: 0.8, firstByte: 1.3 };
/** 150 words at 100 a second, after a third of a second: faster than the large models are. */
const PACE = { firstMs: 300, words: 150, everyMs: 10 };

const { quick, folder } = readInvocation();
const [ROUNDS, CONVERSATIONS, TURNS] = quick ? [2, 4, 3] : [5, 8, 6];

const model = await startModel(PACE);
const proxy = await startBareProxy(model.url);
const gateway = await Service.start(join(folder, 'data'), { PALIMPSEST_GATEWAY_ANTHROPIC: model.url });
const heard = { proxy: [] as Talked[], gateway: [] as Talked[] };
let named = 0;
const through =
  (who: keyof typeof heard, url: string, headers: Readonly<Record<string, string>>) => async () => {
    named += 1;
    const talked = await converse(
      { url, headers },
      { name: `Round ${named}`, conversations: CONVERSATIONS, turns: TURNS },
    );
    heard[who].push(talked);
    note(
      `${who}: ${fixed(talked.perSecond)} answers a second, first byte ${fixed(median(talked.firstBytes))} ms`,
    );
    return talked.perSecond;
  };
const perSecond = await takeTurns(
  {
    proxy: through('proxy', proxy.url, {}),
    gateway: through('gateway', `${gateway.url}/gateway/anthropic`, {
      'x-palimpsest-key': ADMIN_KEY,
      'x-api-key': 'none',
    }),
  },
  { rounds: ROUNDS, warmUps: 1 },
);
const firstBytes = (who: keyof typeof heard) => heard[who].slice(1).map((one) => median(one.firstBytes));
const [ours = [], bare = []] = [perSecond.get('gateway'), perSecond.get('proxy')];
const throughput = ratioOf(ours, bare);
const firstByte = ratioOf(firstBytes('gateway'), firstBytes('proxy'));
report(
  `gateway: without compaction ${fixed(throughput)} times the throughput of a bare streaming proxy ` +
    `(promised ≥ ${PROMISED.throughput}), and ${fixed(firstByte)} times its time to the first byte ` +
    `(promised ≤ ${PROMISED.firstByte})`,
  ['', 'answers a second', 'first byte, ms'],
  [
    ['bare proxy', fixed(median(bare)), fixed(median(firstBytes('proxy')))],
    ['gateway', fixed(median(ours)), fixed(median(firstBytes('gateway')))],
  ],
);
await gateway.stop();
proxy.close();
model.close();
process.exit(throughput >= PROMISED.throughput && firstByte <= PROMISED.firstByte ? 0 : 1);
