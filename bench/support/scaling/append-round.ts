import { cpuMsOf } from '../http/cpu-time.js';
import type { HttpCaller } from '../http/http-caller.js';
import { millisecondsOf, quantile } from '../rounds.js';
import { prose } from '../sessions/texts.js';

/** A session, and the connection over which an agent appends to it. */
export type Target = { readonly caller: HttpCaller; readonly session: string };

/** The measurements of one point of a curve. */
export type Point = {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** CPU time of the measured processes for one append. */
  readonly cpuMs: number;
};

/** Concurrent agents of a round. */
export const AGENTS = 16;

const bodyOf = (at: number): string =>
  JSON.stringify({
    messages: [
      { role: 'user', content: `${at} ${prose(at, 500)}` },
      { role: 'assistant', content: `${at} ${prose(at + 1, 500)}` },
    ],
  });

/** Opens a session, unless it is open. */
export const openSession = async ({ caller, session }: Target): Promise<void> => {
  await caller.post('/v1/sessions', JSON.stringify({ session, model: 'claude-sonnet-4-5' }));
};

/** Agents append two messages at a time to the targets by turns: `warmUps` appends first, which are not measured. */
export const appendRound = async (
  targets: readonly Target[],
  pids: readonly number[],
  { appends, warmUps }: { readonly appends: number; readonly warmUps: number },
): Promise<Point> => {
  const cpu = async (): Promise<number> =>
    (await Promise.all(pids.map(cpuMsOf))).reduce((sum, ms) => sum + ms, 0);
  const run = async (count: number, took: number[]): Promise<void> => {
    let next = 0;
    const agent = async (): Promise<void> => {
      while (next < count) {
        const at = next;
        next += 1;
        const target = targets[at % targets.length];
        if (!target) return;
        const path = `/v1/sessions/${target.session}/messages`;
        took.push(await millisecondsOf(() => target.caller.post(path, bodyOf(at))));
      }
    };
    await Promise.all(Array.from({ length: AGENTS }, agent));
  };
  await run(warmUps, []);
  const took: number[] = [];
  const before = await cpu();
  const milliseconds = await millisecondsOf(() => run(appends, took));
  return {
    perSecond: (appends / milliseconds) * 1_000,
    p50Ms: quantile(took, 0.5),
    p99Ms: quantile(took, 0.99),
    cpuMs: ((await cpu()) - before) / appends,
  };
};
