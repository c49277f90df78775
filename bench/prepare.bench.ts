/**
 * The cost of preparing a compaction in sessions of very different length, compared with a bare walk over the same
 * messages, which visits each message and block once and reads the message's id, the block's type and the length of its
 * text (`support/preparations/walk.ts`). The promise: preparation grows like the walk, and costs at most a constant factor
 * more.
 */
import { type OpenSession, prepare, profileNamed } from '@app/domain';
import { invariant } from '@app/kernel';
import { readInvocation } from './support/invocation.js';
import { longSession } from './support/preparations/long-session.js';
import { walk } from './support/preparations/walk.js';
import { fixed, MISSED, report, whole } from './support/report.js';
import { median, millisecondsOf, ratioOf, takeTurns } from './support/rounds.js';

const PROMISED = 3;
const SIZES = [1_000, 10_000, 50_000];
/** The minimum number of messages per measurement: a single short session is below the clock's resolution. */
const MESSAGES = 100_000;
const { quick } = readInvocation();
const TIMES = { rounds: quick ? 9 : 41, warmUps: quick ? 3 : 10 };

const PROFILES = ['core', 'tail'].map(profileNamed);

/** Nanoseconds per message. */
const costOf =
  (session: OpenSession, work: (session: OpenSession) => number) => async (): Promise<number> => {
    const repeats = Math.ceil(MESSAGES / session.entries.length);
    let sum = 0;
    const took = await millisecondsOf(() => {
      for (let repeat = 0; repeat < repeats; repeat += 1) sum += work(session);
    });
    invariant(sum > 0, 'the work has a result');
    return (took * 1_000_000) / (repeats * session.entries.length);
  };

const rows: string[][] = [];
const ratios: number[] = [];
for (const size of SIZES) {
  const session = longSession(size);
  const prepared = (name: string) =>
    costOf(session, (given) => {
      const plan = prepare(given, profileNamed(name));
      invariant(plan.kind === 'plan', 'there is something to compact');
      return plan.covered.length;
    });
  const took = await takeTurns<string>(
    {
      walk: costOf(session, walk),
      ...Object.fromEntries(PROFILES.map(({ name }) => [name, prepared(name)])),
    },
    TIMES,
  );
  const walked = took.get('walk') ?? [];
  for (const { name } of PROFILES) {
    const times = took.get(name) ?? [];
    const ratio = ratioOf(times, walked);
    ratios.push(ratio);
    rows.push([
      whole(size),
      name,
      fixed(median(walked), 1),
      fixed(median(times), 1),
      fixed(ratio),
      `${fixed((median(times) * size) / 1_000_000, 2)}`,
    ]);
  }
}
report(
  `prepare: a plan costs at most ${fixed(Math.max(...ratios))} times a bare walk over the same messages (promised: at most ${PROMISED})`,
  ['messages', 'profile', 'walk, ns per message', 'prepare, ns per message', 'ratio', 'prepare, ms'],
  rows,
);
process.exit(Math.max(...ratios) <= PROMISED ? 0 : MISSED);
