import { setImmediate as yieldToLoop } from 'node:timers/promises';
import { SessionId, TenantId } from '@app/kernel';
import type { Summarizer, SummaryRequest } from '@app/ports';
import {
  goodResult,
  type MemoryLog,
  openApplication,
  openMemoryLog,
  openSession,
  playTurns,
  recordedEvents,
  requestCompaction,
  ScriptedSummarizer,
} from '@app/testing';
import type { SessionRef } from '../sessions/session-ref.js';
import { runCompactor } from './compactor.js';

/** Many times the slots of a worker and the limit of a tenant. */
const FLOOD = 40;
const [flood, calm] = [TenantId('flood'), TenantId('calm')];
const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await yieldToLoop();
};
const countOf = <Item>(items: Iterable<Item>, item: Item): number =>
  [...items].filter((one) => one === item).length;

/** Records started compactions and their concurrency; each summary waits until it is released. */
class Gatekeeper {
  /** Tenants of the started compactions, in order. */
  readonly begun: TenantId[] = [];
  readonly most = new Map<TenantId, number>();
  mostAtOnce = 0;
  private readonly under: TenantId[] = [];
  private readonly gates: (() => void)[] = [];
  private open = false;

  constructor(private readonly tenantOf: ReadonlyMap<string, TenantId>) {}

  /** Belongs to one worker; a compaction whose worker stops is no longer counted. */
  summarizer(): Summarizer {
    const { identity } = new ScriptedSummarizer();
    return { identity, summarize: (request, signal) => this.summarize(request, signal) };
  }

  letThrough(): void {
    this.open = true;
    for (const open of this.gates.splice(0)) open();
  }

  private async summarize({ compactionId }: SummaryRequest, signal: AbortSignal) {
    const tenant = this.tenantOf.get(compactionId) ?? TenantId('unknown');
    this.begun.push(tenant);
    this.under.push(tenant);
    this.most.set(tenant, Math.max(this.most.get(tenant) ?? 0, countOf(this.under, tenant)));
    this.mostAtOnce = Math.max(this.mostAtOnce, this.under.length);
    try {
      if (!this.open) await this.gate(signal);
      else await yieldToLoop(); // So that concurrent work can run.
      return goodResult();
    } finally {
      this.under.splice(this.under.indexOf(tenant), 1);
    }
  }

  private gate(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      this.gates.push(resolve);
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
  }
}

/** A flood of requests of one tenant; another asks when the test says so. */
const flooded = async (sizes: { readonly atOnce: number; readonly limit: number }) => {
  const memory: MemoryLog = openMemoryLog();
  const application = openApplication(memory);
  const tenantOf = new Map<string, TenantId>();
  const refs: SessionRef[] = [];
  const ask = async (tenant: TenantId, session: string): Promise<void> => {
    const ref = { tenant, session: SessionId(session) };
    await openSession(application, ref);
    await playTurns(application, ref, 0, 12);
    tenantOf.set((await requestCompaction(application, ref)).compactionId, tenant);
    refs.push(ref);
  };
  for (let at = 0; at < FLOOD; at += 1) await ask(flood, `s-${at}`);
  const gatekeeper = new Gatekeeper(tenantOf);
  const errors: unknown[] = [];
  const work = (worker: string) => {
    const stop = new AbortController();
    const options = {
      subscriptions: memory.subscriptions,
      runner: openApplication(memory).runner(worker, gatekeeper.summarizer()),
      atOnce: sizes.atOnce,
      held: 500,
      limitOf: async () => sizes.limit,
      onError: (error: unknown) => void errors.push(error),
    };
    const working = runCompactor(options, stop.signal);
    return () => {
      stop.abort();
      return working;
    };
  };
  const histories = () => Promise.all(refs.map((ref) => recordedEvents(application.log, ref)));
  const ended = async () => {
    const types = (await histories()).map((events) => events.at(-1)?.type);
    return countOf(types, 'CompactionApplied');
  };
  const untilEnded = async (count: number) => {
    while ((await ended()) < count) for (let turn = 0; turn < 50; turn += 1) await yieldToLoop();
  };
  return { ask, work, gatekeeper, errors, histories, untilEnded };
};

/** Guarantee: a tenant that floods does not delay another's compactions, and takes no more than its limit. */
describe('a compactor flooded by one tenant', () => {
  it('starts the compaction of another tenant before any of the flood has ended', async () => {
    const { ask, work, gatekeeper, untilEnded, histories, errors } = await flooded({ atOnce: 4, limit: 2 });
    const stop = work('w1');
    await until(() => gatekeeper.begun.length === 2);
    await ask(calm, 'one');
    await until(() => gatekeeper.begun.includes(calm));
    expect(gatekeeper.begun).toEqual([flood, flood, calm]);

    gatekeeper.letThrough();
    await untilEnded(FLOOD + 1);
    await stop();
    const started = (await histories()).map((events) =>
      countOf(
        events.map(({ type }) => type),
        'CompactionStarted',
      ),
    );
    expect(new Set(started)).toEqual(new Set([1]));
    expect(gatekeeper.begun).toHaveLength(FLOOD + 1);
    expect(Object.fromEntries(gatekeeper.most)).toEqual({ flood: 2, calm: 1 });
    expect(errors).toEqual([]);
  });

  it('gives another tenant its turn even if the flood could fill every slot', async () => {
    const { ask, work, gatekeeper, untilEnded } = await flooded({ atOnce: 3, limit: 9 });
    const stop = work('w1');
    await until(() => gatekeeper.begun.length === 3);
    await ask(calm, 'one');
    gatekeeper.letThrough();
    await untilEnded(FLOOD + 1);
    await stop();
    expect(gatekeeper.begun.indexOf(calm)).toBeLessThanOrEqual(3 + 1);
    expect(gatekeeper.mostAtOnce).toBe(3);
  });

  it('releases all held requests to another worker when it is stopped', async () => {
    const { ask, work, gatekeeper, untilEnded, histories, errors } = await flooded({ atOnce: 2, limit: 2 });
    const stopFirst = work('w1');
    await until(() => gatekeeper.begun.length === 2);
    await ask(calm, 'one');
    const stopSecond = work('w2');
    await stopFirst();
    gatekeeper.letThrough();
    await untilEnded(FLOOD + 1);
    await stopSecond();
    const applied = (await histories()).map((events) =>
      countOf(
        events.map(({ type }) => type),
        'CompactionApplied',
      ),
    );
    expect(new Set(applied)).toEqual(new Set([1]));
    expect(gatekeeper.begun.length).toBe(FLOOD + 1 + 2);
    expect(errors).toEqual([]);
  });
});
