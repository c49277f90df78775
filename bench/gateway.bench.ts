/**
 * The cost of the gateway without compactions: a recorded session of a coding agent in several concurrent
 * conversations, streamed alternately through the gateway and a bare streaming proxy. The model behind both returns
 * the recorded answers at the pace of a fast model. Each round gives one ratio; the median counts.
 */
import { join } from 'node:path';
import { startBareProxy } from './support/gateway/bare-proxy.js';
import { converse, type Talked } from './support/gateway/converse.js';
import { startModel } from './support/gateway/model.js';
import { answersIn, recordedSession } from './support/gateway/recorded.js';
import { readInvocation } from './support/invocation.js';
import { ADMIN_KEY, Service } from './support/load/service.js';
import { fixed, MISSED, note, report } from './support/report.js';
import { median, ratioOf, takeTurns } from './support/rounds.js';

const PROMISED = { throughput: 0.8, firstByte: 1.3 };
/** 100 words per second after a third of a second: faster than large models. */
const PACE = { firstMs: 300, everyMs: 10 };

const { quick, folder } = readInvocation();
const [ROUNDS, CONVERSATIONS, ANSWERS] = quick ? [2, 4, 6] : [5, 8, 16];

const session = recordedSession(ANSWERS);
const model = await startModel(PACE, answersIn(session));
const proxy = await startBareProxy(model.url);
const gateway = await Service.start(join(folder, 'data'), { PALIMPSEST_GATEWAY_ANTHROPIC: model.url });
const heard = { proxy: [] as Talked[], gateway: [] as Talked[] };
let named = 0;
const through =
  (who: keyof typeof heard, url: string, headers: Readonly<Record<string, string>>) => async () => {
    named += 1;
    const talked = await converse(
      { url, headers },
      { name: `Round ${named}`, conversations: CONVERSATIONS, session },
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
process.exit(throughput >= PROMISED.throughput && firstByte <= PROMISED.firstByte ? 0 : MISSED);
