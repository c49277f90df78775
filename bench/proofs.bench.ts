/**
 * Cost of proofs. Sixteen agents append to the sessions of eight tenants, while another tenant appends one message after the other
 * and asks for its checkpoint until that has the message: the lag. The same without the agents. The share of a proof bundle that
 * only proves: all but its events and their content. The time in which Node verifies a bundle of 10,000 events. And the rate of the
 * agents' appends while the transparency log grows, compared with the rate while it waits, by turns on one service.
 */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { PalimpsestClient } from '@app/client';
import { spawnPostgres } from '@app/embedded-postgres';
import { verifyBundle } from '@app/proof';
import pg from 'pg';
import { readInvocation } from './support/invocation.js';
import { Service } from './support/load/service.js';
import { fixed, note, report, whole } from './support/report.js';
import { median, millisecondsOf, quantile, ratioOf, takeTurns } from './support/rounds.js';
import { prose } from './support/sessions/texts.js';

const { quick, folder } = readInvocation();
const AGENTS = 16;
const TENANTS = 8;
const PROBES = quick ? 20 : 100;
const ROUND_MS = quick ? 1_000 : 5_000;
const TIMES = quick ? { rounds: 2, warmUps: 1 } : { rounds: 9, warmUps: 1 };
const LARGE = quick ? 1_000 : 10_000;
const LOOK_AGAIN_AFTER_MS = 20;
const GIVE_UP_AFTER_MS = 60_000;
const WINDOW = 10_000_000;

const database = await spawnPostgres({ dataDir: join(folder, 'postgres') });
const service = await Service.start(join(folder, 'service'), {
  PALIMPSEST_POSTGRES_URL: database.url,
  PALIMPSEST_SECRETS_KEY: Buffer.alloc(32, 1).toString('base64'),
});
const holder = new pg.Client({ connectionString: database.url });
await holder.connect();

const tenantOf = async (tenant: string): Promise<PalimpsestClient> => {
  const { key } = await service.admin.keys.registerTenant({ tenant, name: tenant });
  const client = service.clientOf(key);
  await client.keys.changeLimits({ requestsPerSecond: 10_000, requestsPerMinute: 300_000 });
  return client;
};
const tenants: PalimpsestClient[] = [];
for (let at = 0; at < TENANTS; at += 1) tenants.push(await tenantOf(`tenant_${at}`));
const prober = await tenantOf('prober');

const turn = (seed: number) => ({
  messages: [
    { role: 'user' as const, content: `${seed} ${prose(seed, 400)}` },
    { role: 'assistant' as const, content: `${seed} ${prose(seed + 1, 800)}` },
  ],
});

let sessions = 0;
/** Agents append to new sessions until `isOver`. Returns the number of their appends. */
const append = async (isOver: () => boolean): Promise<number> => {
  let count = 0;
  const agent = async (_: unknown, at: number): Promise<void> => {
    const client = tenants[at % TENANTS];
    sessions += 1;
    const session = `s-${sessions}`;
    await client?.sessions.open({ session, window: WINDOW });
    while (!isOver()) {
      await client?.sessions.append(session, turn(count));
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: AGENTS }, agent));
  return count;
};

const proofOf = async (client: PalimpsestClient, session: string): Promise<string> => {
  let text = '';
  for await (const part of await client.sessions.proof(session)) text += part;
  return text;
};

const sizeNow = async (): Promise<number> => Number((await prober.log.checkpoint()).split('\n')[1]);

/** Returns the size of the log once it does not grow any more. */
const settledSize = async (): Promise<number> => {
  let size = 0;
  for (let before = -1; before !== size; ) {
    before = size;
    await pause(3_000);
    size = await sizeNow();
  }
  return size;
};

/** Returns the milliseconds from the answer to each append to a checkpoint with its events. */
const lags = async (session: string): Promise<readonly number[]> => {
  await prober.sessions.open({ session, window: WINDOW });
  const opened = await settledSize();
  await prober.sessions.append(session, turn(0));
  let size = await settledSize();
  const events = size - opened;
  const measured: number[] = [];
  for (let count = 1; count <= PROBES; count += 1) {
    await prober.sessions.append(session, turn(count));
    size += events;
    measured.push(
      await millisecondsOf(async () => {
        const start = performance.now();
        while ((await sizeNow()) < size) {
          if (performance.now() - start > GIVE_UP_AFTER_MS) throw new Error('the checkpoint stays behind');
          await pause(LOOK_AGAIN_AFTER_MS);
        }
      }),
    );
    await pause(Math.random() * 300); // At any moment between two checkpoints.
  }
  return measured;
};

/** Returns the bytes of a bundle that are no event and no content. */
const proofBytes = (bundle: string): number =>
  bundle
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      if (line.startsWith('{"id":')) return 0;
      if (line.startsWith('[')) return 1; // The end of the line.
      const [, content] = /^\{(?:"key"|"digest").*?"content":(\[.*\])\}$/s.exec(line) ?? [];
      return Buffer.byteLength(line) + 1 - Buffer.byteLength(content ?? '');
    })
    .reduce((sum, bytes) => sum + bytes, 0);

/** Records a session of `events` messages, and returns its bundle. */
const bundleOf = async (
  session: string,
  events: number,
  message: (at: number) => string,
): Promise<string> => {
  await prober.sessions.open({ session, window: WINDOW });
  for (let from = 0; from < events; from += 100) {
    const messages = Array.from({ length: Math.min(100, events - from) }, (_, at) => ({
      role: at % 2 === 0 ? ('user' as const) : ('assistant' as const),
      content: message(from + at),
    }));
    await prober.sessions.append(session, { messages });
  }
  return proofOf(prober, session);
};

/** Resolves when the logs have all events. */
const caughtUp = async (): Promise<void> => {
  let position: unknown;
  for (let before: unknown = null; before !== position; ) {
    before = position;
    await pause(2_000);
    ({ position } = (await holder.query('select position from transparency.position')).rows[0]);
  }
};

/** Returns the appends a second; with `isHeld` the log's run waits for the row of its position meanwhile. */
const rate = (isHeld: boolean) => async (): Promise<number> => {
  if (isHeld) await holder.query('begin; select position from transparency.position for update');
  const start = performance.now();
  const count = await append(() => performance.now() - start > ROUND_MS);
  const perSecond = (count / (performance.now() - start)) * 1_000;
  if (isHeld) await holder.query('rollback');
  await caughtUp();
  return perSecond;
};

const idle = await lags('idle');
let isOver = false;
const load = append(() => isOver);
const loaded = await lags('loaded');
isOver = true;
note(`${await load} appends meanwhile`);
const longest = Math.max(...loaded);
const milliseconds = (measured: readonly number[]): readonly string[] =>
  [median(measured), quantile(measured, 0.95), Math.max(...measured)].map(whole);
report(
  `proofs: a checkpoint has an event ${whole(longest)} ms after its append at the latest (promised ≤ 1,000)`,
  [`${PROBES} appends, ms`, 'p50', 'p95', 'longest'],
  [
    ['without load', ...milliseconds(idle)],
    [`beside ${AGENTS} agents of ${TENANTS} tenants`, ...milliseconds(loaded)],
  ],
);

const short = await bundleOf('short', 200, (at) => `turn ${at}: which orders are open today, please?`);
const large = await bundleOf('large', LARGE, (at) => `${at} ${prose(at, 600)}`);
const shares = [short, large].map((bundle) => proofBytes(bundle) / Buffer.byteLength(bundle));
report(
  `proofs: ${fixed(Math.max(...shares) * 100, 1)} % of a bundle prove the rest (promised ≤ 3)`,
  ['', 'bytes', 'proof, bytes', '%'],
  [
    ['200 short messages', short],
    [`${whole(LARGE)} messages of 600 characters`, large],
  ].map(([name = '', bundle = '']) => [
    name,
    whole(Buffer.byteLength(bundle)),
    whole(proofBytes(bundle)),
    fixed((proofBytes(bundle) / Buffer.byteLength(bundle)) * 100, 2),
  ]),
);

const bytes = Buffer.from(large);
const verified: number[] = [];
let outcome = '';
for (let round = 0; round < 5; round += 1)
  verified.push(
    await millisecondsOf(async () => {
      ({ outcome } = await verifyBundle(bytes));
    }),
  );
if (outcome !== 'valid') {
  note(`the bundle is ${outcome}`);
  process.exitCode = 1;
}
report(
  `proofs: a bundle of ${whole(LARGE)} events is verified in ${fixed(median(verified) / 1_000)} s (promised ≤ 1)`,
  ['', 'median, s', 'longest, s'],
  [['Node', fixed(median(verified) / 1_000), fixed(Math.max(...verified) / 1_000)]],
);

const rates = await takeTurns({ growing: rate(false), waiting: rate(true) }, TIMES);
const [growing = [], waiting = []] = [rates.get('growing'), rates.get('waiting')];
report(
  `proofs: appends while the log grows, to those while it waits: ${fixed(ratioOf(growing, waiting))} (promised ≥ 0.95)`,
  ['appends a second', 'median'],
  [
    ['the transparency log grows', whole(median(growing))],
    ['it waits', whole(median(waiting))],
  ],
);
await holder.end();
await service.stop();
await database.stop();
