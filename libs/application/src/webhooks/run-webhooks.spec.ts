import { IsoTime, LogPosition, Revision, SessionId, TenantId, WebhookId } from '@app/kernel';
import type { DueDelivery, HeldDeliveries } from '@app/ports';
import { runWebhooks, type WebhookParts } from './run-webhooks.js';

const head = (tenant: string, at: number): DueDelivery => ({
  tenant: TenantId(tenant),
  webhook: WebhookId(`wh_${tenant.slice(0, 4).padEnd(4, 'x')}${String(at).padStart(8, '0')}`),
  position: LogPosition(BigInt(at)),
  session: SessionId('s-1'),
  revision: Revision(0),
  type: 'MessageAppended',
  state: 'pending',
  attempts: 0,
  nextAt: IsoTime('2026-01-01T00:00:00.000Z'),
  lastOutcome: null,
  lastTriedAt: null,
  url: `https://${tenant}.example/hook`,
  content: 'none',
});

/** Waits for the abort alone, as a pace may: one that has come before is not heard. */
const deafPace: WebhookParts['pace'] = {
  pause: (_, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
};

const held = (heads: () => Promise<readonly DueDelivery[]>, changed: Partial<HeldDeliveries> = {}) => ({
  follow: (signal: AbortSignal) =>
    new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve())),
  heads,
  settle: async () => undefined,
  ...changed,
});

const start = (deliveries: HeldDeliveries, changed: Partial<WebhookParts> = {}) => {
  const stop = new AbortController();
  const parts: WebhookParts = {
    deliveries: { hold: (_, work) => work(deliveries) },
    secrets: { of: async () => ['whsec_c2VjcmV0'] },
    sender: { send: () => new Promise(() => {}), requireAllowed: async () => undefined },
    log: {
      async *readForwards(stream) {
        const event = { type: 'SessionClosed', data: { reason: 'done' } } as never; // Its content is not looked at.
        const recordedAt = IsoTime('2026-01-01T00:00:00.000Z');
        const context = { actor: 'tests' as never, correlationId: 'c-1' };
        yield { id: 'e-1', stream, revision: Revision(0), recordedAt, context, event };
      },
    },
    factsOf: () => ({}),
    now: Date.now,
    random: () => 0.5,
    pace: deafPace,
    onError: () => {},
    ...changed,
  };
  const over = runWebhooks(parts, stop.signal);
  return {
    stop: () => {
      stop.abort();
      return over;
    },
  };
};

/** A promise, and the function that resolves it. */
const announcement = () => {
  let give = (): void => {};
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give };
};

describe('the webhook sender', () => {
  it('stops although a receiver never answers, gives its attempt up and records no result', async () => {
    const settled: unknown[] = [];
    let attempt: AbortSignal | undefined;
    let sent = (): void => {};
    const isSent = new Promise<void>((resolve) => {
      sent = resolve;
    });
    const deliveries = held(async () => [head('acme', 1)], {
      settle: async (tried) => void settled.push(...tried),
    });
    const send = (_: unknown, signal?: AbortSignal) => {
      attempt = signal;
      sent();
      return new Promise<never>((_resolve, reject) =>
        signal?.addEventListener('abort', () => reject(new Error('given up'))),
      );
    };
    const running = start(deliveries, { sender: { send, requireAllowed: async () => undefined } });
    await isSent;
    await running.stop();
    expect(attempt?.aborted).toBe(true);
    expect(settled).toEqual([]);
  });

  it('stops although the log does not end a subscription', async () => {
    const running = start(held(async () => [], { follow: () => new Promise(() => {}) }));
    await running.stop();
  });

  it('stops although PostgreSQL answers no statement', async () => {
    let asked = (): void => {};
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const heads = () => {
      asked();
      return new Promise<never>(() => {});
    };
    const running = start(held(heads));
    await isAsked;
    await running.stop();
  });

  it('stops although the lock is neither granted nor refused', async () => {
    const running = start(
      held(async () => []),
      { deliveries: { hold: () => new Promise(() => {}) } },
    );
    await running.stop();
  });

  it('sends deliveries that are added while it reads the due ones', async () => {
    let written = (): void => {};
    let reads = 0;
    let again = (): void => {};
    const readAgain = new Promise<void>((resolve) => {
      again = resolve;
    });
    const deliveries = held(
      async () => {
        reads += 1;
        if (reads === 2) again();
        written(); // Before it waits for news.
        return [];
      },
      {
        follow: (signal, onWritten) => {
          written = onWritten;
          return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
        },
      },
    );
    const running = start(deliveries);
    await readAgain;
    written = () => {};
    await running.stop();
  });

  it('delivers to other tenants while the receivers of one never answer', async () => {
    const slow = Array.from({ length: 200 }, (_, at) => head('slow', at));
    const others = ['b', 'c', 'd', 'e'].map((tenant) => head(tenant, 1));
    const called: string[] = [];
    let all = (): void => {};
    const allCalled = new Promise<void>((resolve) => {
      all = resolve;
    });
    const send = ({ url }: { readonly url: string }) => {
      called.push(new URL(url).hostname);
      if (called.includes('e.example')) all();
      return new Promise<never>(() => {});
    };
    const running = start(
      held(async () => [...slow, ...others]),
      { sender: { send, requireAllowed: async () => undefined } },
    );
    await allCalled;
    expect(called.filter((host) => host === 'slow.example')).toHaveLength(32);
    await running.stop();
  });

  it('records the results that come during a statement with one more statement', async () => {
    const statements: number[] = [];
    const [first, others, both] = [announcement(), announcement(), announcement()];
    let tried = 0;
    const due = ['b', 'c', 'd'].map((tenant) => head(tenant, 1));
    const deliveries = held(async () => due.splice(0), {
      settle: async (all) => {
        statements.push(all.length);
        if (statements.length > 1) return both.give();
        first.give();
        await others.given;
      },
    });
    const send = async () => {
      tried += 1;
      const isLast = tried === 3;
      if (tried > 1) await first.given;
      if (isLast) setImmediate(others.give);
      return { kind: 'delivered', status: 204 } as const;
    };
    const running = start(deliveries, { sender: { send, requireAllowed: async () => undefined } });
    await both.given;
    expect(statements).toEqual([1, 2]);
    await running.stop();
  });
});
