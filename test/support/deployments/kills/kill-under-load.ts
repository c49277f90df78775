import type { Deployment, Part } from '../deployment.js';
import { Agent } from './agent.js';
import { faultsOf } from './faults.js';
import { Random } from './random.js';
import { Records } from './records.js';
import { callsOf, registerTenant, storiesOf, untilCompacted, untilProjected } from './tenant.js';

export type KillingOptions = {
  readonly kills: number;
  readonly seed: number;
  readonly tenants: number;
  /** Concurrent agents of each tenant. */
  readonly agents: number;
  /** Hears of each kill. */
  readonly onKill?: (part: Part, number: number) => void;
};
export type KillingReport = {
  /** By part. */
  readonly kills: ReadonlyMap<Part, number>;
  readonly acknowledged: number;
  readonly unknown: number;
  readonly sessions: number;
  readonly compactions: number;
  /** Number of errors that reported an outage to clients, by code. */
  readonly outages: ReadonlyMap<string, number>;
  /** Milliseconds from each kill until the part was back and a client had an append acknowledged again. */
  readonly recoveredMs: readonly number[];
  /** Contradictions between records; empty if all is well. */
  readonly faults: readonly string[];
};

/** Appends between two kills: at most so many, at least one. */
const BETWEEN_MAX = 60;
/** Every so often two parts die at once. */
const PAIR_EVERY = 5;

/** Kills parts repeatedly under load, and compares the records of clients with the log, the rows, streams and webhooks. */
export const killUnderLoad = async (
  deployment: Deployment,
  options: KillingOptions,
): Promise<KillingReport> => {
  const tenants = await Promise.all(
    Array.from({ length: options.tenants }, (_, at) =>
      registerTenant(deployment, `killed_${options.seed}_${at}`).then((tenant) => ({
        ...tenant,
        records: new Records(),
      })),
    ),
  );
  let isOver = false;
  const working = tenants.flatMap(({ apiKey, records }) =>
    Array.from({ length: options.agents }, (_, at) =>
      new Agent({ url: deployment.url, apiKey, name: `s${at}`, records }).work(() => isOver),
    ),
  );
  const all = tenants.map(({ records }) => records);
  const killing = killParts(deployment, all, options).finally(() => {
    isOver = true;
  });
  const [killed] = await Promise.all([killing, ...working]);
  const faults = all.flatMap(({ surprises }) => surprises);
  let sessions = 0;
  let compactions = 0;
  await untilProjected(deployment.url);
  for (const { client, records, listeners } of tenants) {
    await untilCompacted(client, records.batches.keys());
    await untilProjected(deployment.url);
    const stories = await storiesOf(client, records.batches, listeners);
    faults.push(...stories.flatMap(faultsOf));
    const { logged, billed } = await callsOf(client, stories);
    if (logged !== billed) faults.push(`${billed} calls are billed, where the log has ${logged}`);
    sessions += stories.length;
    compactions += stories.flatMap((story) => story.compactions).length;
    for (const listener of listeners) listener.stop();
  }
  const batches = all.flatMap((records) => [...records.batches.values()].flat());
  return {
    ...killed,
    acknowledged: batches.filter(({ fate }) => fate === 'acknowledged').length,
    unknown: batches.filter(({ fate }) => fate === 'unknown').length,
    sessions,
    compactions,
    outages: summed(all.map(({ outages }) => outages)),
    faults,
  };
};

/** Each part in its turn, in an order that the seed says, after some appends that the seed says. */
const killParts = async (
  deployment: Deployment,
  records: readonly Records[],
  { kills, seed, onKill }: KillingOptions,
): Promise<Pick<KillingReport, 'kills' | 'recoveredMs'>> => {
  const random = new Random(seed);
  const killed = new Map<Part, number>();
  const recoveredMs: number[] = [];
  const next: Part[] = [];
  const acknowledged = (count: number): Promise<unknown> =>
    Promise.race(records.map((one) => one.more(count)));
  for (let number = 1; number <= kills; ) {
    if (next.length < 2) next.push(...random.shuffled(deployment.parts));
    await acknowledged(1 + random.below(BETWEEN_MAX));
    const isPair = number % PAIR_EVERY === 0 && number < kills;
    const dying = next.splice(0, isPair ? 2 : 1).filter((part, at, all) => all.indexOf(part) === at);
    const startedAt = performance.now();
    await Promise.all(
      dying.map(async (part) => {
        onKill?.(part, number);
        number += 1;
        killed.set(part, (killed.get(part) ?? 0) + 1);
        await deployment.kill(part);
      }),
    );
    await acknowledged(1);
    recoveredMs.push(performance.now() - startedAt);
  }
  return { kills: killed, recoveredMs };
};

const summed = (counts: readonly ReadonlyMap<string, number>[]): ReadonlyMap<string, number> => {
  const sum = new Map<string, number>();
  for (const [code, count] of counts.flatMap((one) => [...one])) sum.set(code, (sum.get(code) ?? 0) + count);
  return sum;
};
