import { setTimeout as pause } from 'node:timers/promises';
import type { PalimpsestClient } from '@app/client';
import { Agent } from '../kills/agent.js';
import { faultsOf } from '../kills/faults.js';
import type { Heard } from '../kills/listeners.js';
import { Random } from '../kills/random.js';
import { Records } from '../kills/records.js';
import { callsOf, registerTenant, storiesOf, untilCompacted, untilProjected } from '../kills/tenant.js';
import type { ChaosDeployment } from './chaos-deployment.js';
import { begin, type Disturbance, dealt, disturbanceName, hasStandBy, type Pauses } from './disturbances.js';

export type ChaosOptions = {
  readonly rounds: number;
  readonly seed: number;
  /** Possible disturbances. Each occurs once, in an order by seed, before any occurs again. */
  readonly deck: readonly Disturbance[];
  readonly pauses: Pauses;
  /** Each process is replaced, or resumes, and the books balance within this time. */
  readonly recoveredWithinMs: number;
  readonly onRound?: (result: {
    readonly round: number;
    readonly name: string;
    readonly tookMs: number;
    readonly faults: readonly string[];
  }) => void;
};
export type ChaosReport = {
  readonly acknowledged: number;
  readonly unknown: number;
  readonly sessions: number;
  readonly compactions: number;
  /** Milliseconds until the books balanced, by disturbance. */
  readonly recoveredMs: ReadonlyMap<string, readonly number[]>;
  /** Inconsistencies and late recoveries. */
  readonly faults: readonly string[];
};

/** An event that is missing after this time counts as lost. */
const GIVEN_UP_AFTER_MS = 150_000;
const TENANTS = 2;
const AGENTS = 2;
/** Appends before and after a disturbance, by seed, of one tenant. */
const BEFORE_MAX = 12;
const AFTER = 8;

type Tenant = {
  readonly apiKey: string;
  readonly client: PalimpsestClient;
  readonly listeners: readonly Heard[];
  /** Records of all rounds. */
  readonly all: Records;
};

/**
 * Disturbs a service under load, round by round. After each round everything is compared: the clients' answers, the
 * log, the rows, and what the reader of the stream and the receiver of the webhook got.
 */
export const runChaos = async (deployment: ChaosDeployment, options: ChaosOptions): Promise<ChaosReport> => {
  const tenants = await Promise.all(
    Array.from({ length: TENANTS }, async (_, at): Promise<Tenant> => {
      const registered = await registerTenant(deployment, `chaos_${options.seed}_${at}`);
      return { ...registered, all: new Records() };
    }),
  );
  const random = new Random(options.seed);
  const faults: string[] = [];
  const recoveredMs = new Map<string, number[]>();
  const cards = dealt(options.deck, random);
  for (let round = 1; round <= options.rounds; round += 1) {
    const { value: one } = cards.next();
    if (!one) break;
    const name = disturbanceName(one);
    const exits = deployment.unexpectedExits.length;
    const result = await playRound({ deployment, tenants, round, random, one, options });
    result.faults.push(...deployment.unexpectedExits.slice(exits));
    faults.push(...result.faults.map((fault) => `round ${round}, ${name}: ${fault}`));
    recoveredMs.set(name, [...(recoveredMs.get(name) ?? []), result.tookMs]);
    options.onRound?.({ round, name, ...result });
  }
  const totals = await balanceOfAll(deployment, tenants);
  for (const { listeners } of tenants) for (const listener of listeners) listener.stop();
  return { ...totals, recoveredMs, faults: [...faults, ...totals.faults] };
};

type Round = {
  readonly deployment: ChaosDeployment;
  readonly tenants: readonly Tenant[];
  readonly round: number;
  readonly random: Random;
  readonly one: Disturbance;
  readonly options: ChaosOptions;
};

const playRound = async (parts: Round): Promise<{ readonly faults: string[]; readonly tookMs: number }> => {
  const { deployment, round, random, one, options } = parts;
  const load = new Load(parts, `r${round}`);
  await load.more(1 + random.below(BEFORE_MAX));
  let startedAt = performance.now();
  const end = await begin(deployment, one, options.pauses);
  if (!hasStandBy(one)) {
    await end();
    // A process without a replacement resumes: the time counts from there. A killed process is restarted in that time.
    if (one.kind !== 'kill') startedAt = performance.now();
  }
  const faults = await balanceWithin(load, startedAt, options.recoveredWithinMs);
  const tookMs = performance.now() - startedAt;
  if (hasStandBy(one)) {
    // The one that was replaced wakes into a service that has gone on: it must write nothing of its own.
    await end();
    const wokenAt = performance.now();
    faults.push(...(await balanceWithin(new Load(parts, `r${round}w`), wokenAt, options.recoveredWithinMs)));
  }
  return { faults, tookMs };
};

/** Agents of every tenant, each with sessions of its own. */
class Load {
  readonly #records: readonly Records[];
  readonly #working: Promise<unknown>;
  /** Awaited conditions with their duration. */
  readonly stages: string[] = [];
  #stageAt = performance.now();
  #isOver = false;

  constructor(
    private readonly parts: Round,
    name: string,
  ) {
    const { deployment, tenants } = parts;
    this.#records = tenants.map(() => new Records());
    this.#working = Promise.all(
      tenants.flatMap(({ apiKey }, tenant) =>
        Array.from({ length: AGENTS }, (_, at) =>
          new Agent({
            url: deployment.url,
            apiKey,
            name: `${name}-s${at}`,
            records: this.#records[tenant] ?? new Records(),
          }).work(() => this.#isOver),
        ),
      ),
    );
    this.#working.catch(() => {}); // Its callers get the rejection.
  }

  /** Resolves when every tenant had so many appends more acknowledged. */
  async more(count: number): Promise<void> {
    await Promise.all(this.#records.map((records) => records.more(count)));
    this.#passed('acknowledged');
  }

  #passed(stage: string): void {
    const now = performance.now();
    this.stages.push(`${stage} ${((now - this.#stageAt) / 1_000).toFixed(1)} s`);
    this.#stageAt = now;
  }

  /** Ends the agents, and compares the records of each with the log, the rows and the receivers. */
  async balance(): Promise<readonly string[]> {
    this.#isOver = true;
    await this.#working;
    this.#passed('answered');
    const { deployment, tenants } = this.parts;
    const faults: string[] = [];
    await untilProjected(deployment.url);
    this.#passed('projected');
    for (const [at, { client, listeners, all }] of tenants.entries()) {
      const records = this.#records[at] ?? new Records();
      all.include(records);
      await untilCompacted(client, records.batches.keys());
      await untilProjected(deployment.url);
      this.#passed('compacted');
      const stories = await storiesOf(client, records.batches, listeners);
      this.#passed('told');
      faults.push(...stories.flatMap(faultsOf), ...records.surprises);
    }
    return faults;
  }
}

const balanceWithin = async (load: Load, startedAt: number, recoveredWithinMs: number): Promise<string[]> => {
  const late = new AbortController();
  const never = pause(GIVEN_UP_AFTER_MS, undefined, { signal: late.signal }).then(
    () => ['the books never balance'],
    () => [],
  );
  const balanced = (async () => {
    await load.more(AFTER);
    return load.balance();
  })();
  const faults = await Promise.race([balanced, never]);
  late.abort();
  const tookMs = performance.now() - startedAt;
  const isLate = tookMs > recoveredWithinMs;
  return isLate
    ? [...faults, `balanced after ${Math.round(tookMs / 1_000)} s: ${load.stages.join(', ')}`]
    : [...faults];
};

const balanceOfAll = async (
  deployment: ChaosDeployment,
  tenants: readonly Tenant[],
): Promise<Omit<ChaosReport, 'recoveredMs'>> => {
  const faults: string[] = [];
  let [sessions, compactions] = [0, 0];
  await untilProjected(deployment.url);
  for (const { client, listeners, all } of tenants) {
    const stories = await storiesOf(client, all.batches, listeners);
    faults.push(...stories.flatMap(faultsOf));
    const { logged, billed } = await callsOf(client, stories);
    if (logged !== billed) faults.push(`${billed} calls are billed, where the log has ${logged}`);
    sessions += stories.length;
    compactions += stories.flatMap((story) => story.compactions).length;
  }
  const batches = tenants.flatMap(({ all }) => [...all.batches.values()].flat());
  const acknowledged = batches.filter(({ fate }) => fate === 'acknowledged').length;
  return { acknowledged, unknown: batches.length - acknowledged, sessions, compactions, faults };
};
