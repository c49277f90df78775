import { extractiveSummarizer } from '@app/adapters/summarizer-extractive';
import {
  GetContext,
  GetContextHandler,
  RequestCompaction,
  runCompactor,
  type SessionRef,
  streamOf,
} from '@app/application';
import type { SessionEvent } from '@app/domain';
import { openTranscript } from '@app/formats';
import { Actor, TenantId } from '@app/kernel';
import {
  type Application,
  caller,
  chunksOf,
  openApplication,
  openMemoryLog,
  recordedEvents,
} from '@app/testing';
import { type Machine, on } from './machine.js';

const tenant = TenantId('acme');
const counter = { estimator: 'quarter', count: (text: string) => Math.ceil(text.length / 4) };

export type Played = {
  readonly ref: SessionRef;
  readonly events: readonly SessionEvent[];
  /** The bodies of the next request, one per provider. */
  readonly contexts: readonly string[];
};
export type Input = { readonly name: string; readonly bytes: Uint8Array; readonly window: number };

/** Runs `work` on the machine with its worker. */
const working = async <Result>(
  { worker }: Machine,
  application: Application,
  work: () => Promise<Result>,
): Promise<Result> => {
  const stop = new AbortController();
  const failures: unknown[] = [];
  const runner = application.runner(worker, extractiveSummarizer(counter));
  const onError = (error: unknown): void => void failures.push(error);
  const { subscriptions } = application;
  const shares = { atOnce: 4, held: 32, limitOf: async () => 2 };
  const running = runCompactor({ subscriptions, runner, onError, ...shares }, stop.signal);
  try {
    return await work();
  } finally {
    stop.abort();
    await running;
    expect(failures).toEqual([]);
  }
};

const playedIn = async ({ log, sessions }: Application, ref: SessionRef): Promise<Played> => {
  const handler = new GetContextHandler({ sessions });
  const formats = ['anthropic', 'openai-chat'] as const;
  const views = await Promise.all(formats.map((format) => handler.execute(new GetContext(ref, format))));
  const contexts = views.map(({ request }) => JSON.stringify(request));
  return { ref, events: await recordedEvents(log, ref), contexts };
};

/** Imports a session on the machine, with all compactions that its window requires, and one more at its end. */
export const play = (machine: Machine, { name, bytes, window }: Input): Promise<Played> =>
  on(machine, async () => {
    const application = openApplication(openMemoryLog());
    const by = { actor: Actor(machine.worker) };
    return working(machine, application, async () => {
      const { format, items } = await openTranscript(chunksOf(bytes, 65_536), { name });
      const options = { tenant, profile: 'deterministic', window };
      const { sessions } = await application.importer.import(format, items, options, by);
      const [session] = sessions;
      if (!session) throw new Error('nothing was imported');
      const ref = { tenant, session: session.session };
      const asked = { trigger: 'explicit' } as const;
      const { compactionId } = await application.commands.execute(new RequestCompaction(ref, asked, by));
      await application.outcomes.outcomeOf(ref, compactionId);
      return playedIn(application, ref);
    });
  });

/** Replays the log up to a compaction's request on another machine, and runs that compaction there. */
export const replay = (machine: Machine, { ref, events }: Played, upTo: number): Promise<Played> =>
  on(machine, async () => {
    const memory = openMemoryLog();
    const news = events
      .slice(0, upTo + 1)
      .map((event, at) => ({ id: `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`, event }));
    await memory.log.append(streamOf(ref), 'no-stream', news, { ...caller, correlationId: 'copied' });
    const application = openApplication(memory);
    const request = events[upTo];
    if (request?.type !== 'CompactionRequested') throw new Error('no compaction is requested there');
    const { compactionId } = request.data;
    await working(machine, application, () => application.outcomes.outcomeOf(ref, compactionId));
    return playedIn(application, ref);
  });
