/**
 * What it costs to prepare a compaction, in sessions of very different length, against a bare walk over the same
 * messages: one that visits each message and each of its blocks once and reads the message's id, the block's type and
 * the length of its text (`support/preparing/walk.ts`). The promise is that preparing grows as the walk does, and costs
 * at most so many times as much.
 */
import { type OpenSession, prepare, profileNamed } from '@app/domain';
import { invariant } from '@app/kernel';
import { readInvocation } from './support/invocation.js';
import { longSession } from './support/preparing/long-session.js';
import { walk } from './support/preparing/walk.js';
import { fixed, report, whole } from './support/report.js';
import { median, millisecondsOf, ratioOf, takeTurns } from './support/rounds.js';

const PROMISED = 3;
const SIZES = [1_000, 10_000, 50_000];
/** Messages that one measurement looks at, at least: a single short session is over before a clock has ticked often. */
const MESSAGES = 100_000;
const { quick } = readInvocation();
const TIMES = { rounds: quick ? 9 : 41, warmUps: quick ? 3 : 10 };

const PROFILES = ['core', 'tail'].map(profileNamed);

/** Nanoseconds for a message. */
const costOf =
  (session: OpenSession, work: (session: OpenSession) => number) => async (): Promise<number> => {
    const repeats = Math.ceil(MESSAGES / session.entries.length);
    let sum = 0;
    const took = await millisecondsOf(() => {
      for (let repeat = 0; repeat < repeats; repeat += 1) sum += work(session);
    });
    invariant(sum > 0, 'what was done has come to something');
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
  ['messages', 'profile', 'walk, ns a message', 'prepare, ns a message', 'ratio', 'prepare, ms'],
  rows,
);
