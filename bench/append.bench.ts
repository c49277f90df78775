/**
 * Appends of one message each: through the application (command bus, the decision on the session's state, the codec),
 * and with the bare client, which sends pre-encoded events to the same server. Token counting is excluded. Nothing
 * else runs; in production projector and compactor follow the log.
 */
import 'reflect-metadata';
import type { SessionRef } from '@app/application';
import { SessionId, TenantId } from '@app/kernel';
import type { Appender } from './support/appends/appender.js';
import { openBareClient } from './support/appends/bare-client.js';
import { openApplication } from './support/appends/through-application.js';
import { type RunningStore, withEventStore } from './support/event-store.js';
import { readInvocation } from './support/invocation.js';
import { fixed, report, whole } from './support/report.js';
import { median, millisecondsOf, quantile, ratioOf, takeTurns } from './support/rounds.js';
import { questionMessage } from './support/sessions/turn-messages.js';

const { quick, folder } = readInvocation();
const TIMES = quick ? { rounds: 5, warmUps: 2 } : { rounds: 20, warmUps: 4 };
const SEQUENTIAL = { sessions: 1, appends: 300 };
const CONCURRENT = { sessions: 32, appends: 50 };

type Load = { readonly sessions: number; readonly appends: number };

/** Number of created sessions, for unused ids. */
let sessions = 0;
const newSession = (): SessionRef => {
  sessions += 1;
  return { tenant: TenantId('bench'), session: SessionId(`append-${sessions}`) };
};

/** Appends per second of all sessions together, each with one append in flight. */
const rateOf = (appender: Appender, load: Load) => async (): Promise<number> => {
  const messages = Array.from({ length: load.appends }, (_, at) => questionMessage(at + 1));
  const prepared = await Promise.all(
    Array.from({ length: load.sessions }, () => appender.prepare(newSession(), messages)),
  );
  const milliseconds = await millisecondsOf(() =>
    Promise.all(
      prepared.map(async (appends) => {
        for (const append of appends) await append();
      }),
    ),
  );
  return (prepared.flat().length / milliseconds) * 1_000;
};

const measure = async ({ log, url }: RunningStore): Promise<void> => {
  const application = await openApplication(log);
  const bare = openBareClient(url);
  const rates = await takeTurns(
    {
      'application, 1': rateOf(application, SEQUENTIAL),
      'bare client, 1': rateOf(bare, SEQUENTIAL),
      'application, 32': rateOf(application, CONCURRENT),
      'bare client, 32': rateOf(bare, CONCURRENT),
    },
    TIMES,
  );
  await application.close();
  await bare.close();

  const of = (way: 'application' | 'bare client', writers: 1 | 32): readonly number[] =>
    rates.get(`${way}, ${writers}`) ?? [];
  const shareOf = (writers: 1 | 32): string =>
    fixed(ratioOf(of('application', writers), of('bare client', writers)));
  report(
    `append: through the application ${shareOf(1)} of the bare client's rate with one session, ${shareOf(32)} with 32`,
    ['appends per second', 'median', '10 % … 90 %'],
    ([1, 32] as const).flatMap((writers) =>
      (['application', 'bare client'] as const).map((way) => {
        const rate = of(way, writers);
        const spread = `${whole(quantile(rate, 0.1))} … ${whole(quantile(rate, 0.9))}`;
        return [
          `${way}, ${writers === 1 ? '1 session' : `${writers} sessions`}`,
          whole(median(rate)),
          spread,
        ];
      }),
    ),
  );
};

await withEventStore(folder, measure);
