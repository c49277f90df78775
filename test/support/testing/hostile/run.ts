import { type HostileRequest, requestAt } from './requests.js';
import { openAgent, send } from './send.js';
import { faultOf } from './verdict.js';
import type { World } from './world.js';

export type HostileRun = {
  readonly seed: number;
  /** The first request of the seed. */
  readonly from: number;
  readonly count: number;
  /** The number of concurrent requests. */
  readonly atOnce: number;
  /** Called for each answer: method and route, and a status or `none`. */
  readonly onAnswer?: (route: string, status: string, ms: number) => void;
};

const FAULTS_MAX = 50;

/** Sends the requests of a seed; returns faults of the answers, each with everything needed to repeat it. */
export const runHostile = async (world: World, run: HostileRun): Promise<readonly string[]> => {
  const { seed, from, count, atOnce, onAnswer } = run;
  const faults: string[] = [];
  const agent = openAgent();
  let next = from;
  const worker = async (): Promise<void> => {
    while (next < from + count && faults.length < FAULTS_MAX) {
      const sent = requestAt(world, seed, next);
      next += 1;
      const answer = await send(world.url, agent, sent);
      onAnswer?.(`${sent.method} ${sent.route}`, String(answer.status ?? 'none'), answer.ms);
      const fault = faultOf(world, sent, answer);
      if (fault !== undefined)
        faults.push(told(sent, fault, `${answer.status} ${answer.text.slice(0, 300)}`));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  agent.destroy();
  return faults;
};

const told = (sent: HostileRequest, fault: string, answer: string): string => {
  const { seed, index, method, path, key, delivery, headers, body } = sent;
  const { authorization: _, 'x-palimpsest-key': __, ...shown } = headers;
  return [
    `seed ${seed}, index ${index} (alone: PALIMPSEST_HOSTILE_SEED=${seed} PALIMPSEST_HOSTILE_ONLY=${index}): ${fault}`,
    `  ${method} ${path.slice(0, 200)} as ${key}, ${delivery}, ${JSON.stringify(shown).slice(0, 300)}`,
    `  ${body?.toString('utf8').slice(0, 500) ?? 'no body'}`,
    `  was answered ${answer}`,
  ].join('\n');
};
