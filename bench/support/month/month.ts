import { setTimeout as pause } from 'node:timers/promises';
import type { PalimpsestClient } from '@app/client';
import { type Plan, planOf, play, type World } from './agents.js';
import { judge, type Verdict } from './judge.js';
import { Providers } from './providers.js';
import { countBy, TOKENIZERS } from './tokenizer.js';

export type MonthOptions = {
  readonly seed: number;
  readonly sessions: number;
  readonly turns: number;
  /** The number of concurrent sessions. */
  readonly atOnce: number;
  readonly tokenizer: keyof typeof TOKENIZERS;
};
export type Month = {
  readonly verdicts: readonly Verdict[];
  /** Faults of the sessions and of the tenant's totals; must be empty. */
  readonly faults: readonly string[];
};
/** The largest model window; sessions get smaller ones. */
const MODEL_WINDOW = 64_000;

/** Starts the local providers of a month, whose addresses are settings of the service. */
export const providersOf = ({ tokenizer }: Pick<MonthOptions, 'tokenizer'>): Promise<Providers> =>
  Providers.start(countBy(TOKENIZERS[tokenizer]), MODEL_WINDOW);

/** Plays sessions of different agents through API and gateway, and checks every number that the service reports. */
export const playMonth = async (world: Omit<World, 'onSurprise'>, options: MonthOptions): Promise<Month> => {
  const surprises: string[] = [];
  const plans = Array.from({ length: options.sessions }, (_, at) => planOf(at, options.seed, options.turns));
  const whole: World = {
    ...world,
    onSurprise: (session, what) => void surprises.push(`${session}: ${what}`),
  };
  await inTurns(plans, options.atOnce, (plan) => play(plan, whole));
  await untilCompacted(world.client, plans);
  await untilProjected(world.url);
  const verdicts: Verdict[] = [];
  await inTurns(plans, options.atOnce, async (plan) => {
    verdicts.push(await judge(plan, world.client, world.providers.calls));
  });
  const faults = [
    ...surprises,
    ...verdicts.flatMap((verdict) => verdict.faults),
    ...(await usageFaults(world.client, plans)),
  ];
  return { verdicts, faults };
};

const inTurns = async (
  plans: readonly Plan[],
  atOnce: number,
  work: (plan: Plan) => Promise<void>,
): Promise<void> => {
  const left = [...plans];
  const agent = async (): Promise<void> => {
    for (let plan = left.shift(); plan; plan = left.shift()) await work(plan);
  };
  await Promise.all(Array.from({ length: atOnce }, agent));
};

const untilCompacted = async (client: PalimpsestClient, plans: readonly Plan[]): Promise<void> => {
  for (const { session } of plans) {
    const { compaction } = await client.sessions.get(session).catch(() => ({ compaction: null }));
    if (compaction?.status === 'requested')
      await client.compactions.outcome(session, compaction.compactionId);
  }
};

/** The tenant's totals are the sum of the bills in its sessions' logs. */
const usageFaults = async (client: PalimpsestClient, plans: readonly Plan[]): Promise<readonly string[]> => {
  const sum = { calls: 0, input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };
  for (const { session } of plans) {
    for await (const { type, data } of client.sessions.events(session)) {
      if (type !== 'UsageReported') continue;
      const usage: Readonly<Record<string, unknown>> = Object(data.usage);
      sum.calls += 1;
      sum.input += Number(usage.inputTokens);
      sum.cacheRead += Number(usage.cacheReadTokens);
      sum.cacheWrite += Number(usage.cacheWriteTokens);
      sum.output += Number(usage.outputTokens);
    }
  }
  const { total } = await client.audit.usage();
  const told = { calls: total.calls, ...total.tokens };
  return JSON.stringify(told) === JSON.stringify(sum)
    ? []
    : [`usage reports ${JSON.stringify(told)}, the logs have ${JSON.stringify(sum)}`];
};

/** Resolves when every event of the log is in all rows. */
const untilProjected = async (url: string): Promise<void> => {
  for (;;) {
    const { projections }: { projections: readonly { lag: number | null }[] } = Object(
      await (await fetch(`${url}/health`)).json(),
    );
    if (projections.every(({ lag }) => lag === 0)) return;
    await pause(ASK_AGAIN_MS);
  }
};
/** The refresh interval of the service's health report. */
const ASK_AGAIN_MS = 250;
