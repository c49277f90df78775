import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { DueDelivery, HeldDeliveries, WebhookDeliveries } from '@app/ports';
import { type DeliverParts, deliver, type Tried } from './deliver.js';

/** How time passes: tests have one that does not wait. */
export type WebhookPace = {
  /** Resolves after the time, or at once when `signal` aborts. */
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<void>;
};
export type WebhookParts = DeliverParts & {
  readonly deliveries: Pick<WebhookDeliveries, 'hold'>;
  readonly pace: WebhookPace;
  /** Hears of each try, when it has been written down. */
  readonly onTried?: (tried: Tried) => void;
  readonly onError: (error: unknown) => void;
};

/**
 * Tries under way at a time: of all, of one webhook, and of one whose newest try failed. A tenant has at most half of what
 * the other tenants leave, so that there is always room for one more tenant.
 */
const SENDING_MAX = 64;
const SENDING_A_WEBHOOK = 4;
const SENDING_A_FAILING = 1;
/** How long tries that are under way may take once the process is asked to stop; then they are given up, unsettled. */
const STOP_MAX_MS = 2_000;
/** Beyond that, for the last statements on the connection. */
const STOP_MARGIN_MS = 500;
const BEGIN_AGAIN_MIN_MS = 250;
const BEGIN_AGAIN_MAX_MS = 10_000;

/**
 * Sends to webhooks what is recorded for them, until `signal` aborts; of several processes one does. A session's events go
 * to a webhook one after the other: the next one is not sent before the one before is delivered, or dead. Whatever is
 * killed when, each event is sent once at least, under the same id. Once `signal` aborts it resolves within three seconds,
 * whatever receivers and servers do.
 */
export const runWebhooks = async (parts: WebhookParts, signal: AbortSignal): Promise<void> => {
  for (let failures = 0; !signal.aborted; ) {
    try {
      const holding = parts.deliveries.hold(signal, async (held) => {
        failures = 0;
        await new Sending(parts, held).run(signal);
      });
      await untilStopped(holding, signal);
    } catch (error) {
      if (signal.aborted) return;
      parts.onError(error);
      await parts.pace.pause(Math.min(BEGIN_AGAIN_MIN_MS * 2 ** failures, BEGIN_AGAIN_MAX_MS), signal);
      failures += 1;
    }
  }
};

class Sending {
  readonly #underWay = new Map<
    string,
    { readonly tenant: string; readonly webhook: string; readonly over: Promise<void> }
  >();
  /** Aborts tries that are given up: nothing is written down of them. */
  readonly #givenUp = new AbortController();
  readonly #failing = new Set<string>();
  #failure: { readonly error: unknown } | undefined;
  #wake = (): void => {};

  constructor(
    private readonly parts: WebhookParts,
    private readonly held: HeldDeliveries,
  ) {}

  /** @throws what the following, or a try that was none, failed with; nothing is under way then. */
  async run(signal: AbortSignal): Promise<void> {
    const stop = new AbortController();
    const until = AbortSignal.any([signal, stop.signal]);
    const following = this.held
      .follow(until, () => this.#wake())
      .catch((error: unknown) => this.#failed(error));
    try {
      await this.#send(until);
    } finally {
      stop.abort();
      const all = Promise.all([following, ...[...this.#underWay.values()].map(({ over }) => over)]);
      await settledWithin(STOP_MAX_MS, all);
      this.#givenUp.abort();
    }
    if (this.#failure) throw this.#failure.error;
  }

  async #send(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && !this.#failure) {
      const woken = new AbortController();
      this.#wake = () => woken.abort();
      const waiting = (await this.held.heads()).filter((head) => !this.#underWay.has(queueOf(head)));
      const now = this.parts.now();
      for (const head of waiting.filter(({ nextAt }) => Date.parse(nextAt) <= now))
        if (this.#hasRoomFor(head)) this.#try(head);
      if (this.#failure) return;
      const nextMs = Math.min(
        ...waiting
          .filter((head) => !this.#underWay.has(queueOf(head)))
          .map(({ nextAt }) => Date.parse(nextAt)),
      );
      // What came while the heads were read has aborted the signal already: there is nothing to wait for.
      if (woken.signal.aborted || signal.aborted) continue;
      // Where something is due and there is no room, the end of a try wakes this.
      const ms = nextMs <= now ? Number.POSITIVE_INFINITY : nextMs - now;
      await this.parts.pace.pause(ms, AbortSignal.any([signal, woken.signal]));
    }
  }

  #hasRoomFor({ tenant, webhook }: DueDelivery): boolean {
    const all = [...this.#underWay.values()];
    const ofTenant = all.filter((one) => one.tenant === tenant).length;
    const ofWebhook = all.filter((one) => one.webhook === webhook).length;
    const most = this.#failing.has(webhook) ? SENDING_A_FAILING : SENDING_A_WEBHOOK;
    return ofWebhook < most && ofTenant < (SENDING_MAX - (all.length - ofTenant)) / 2;
  }

  #try(head: DueDelivery): void {
    const over = this.#delivered(head)
      .catch((error: unknown) => this.#failed(error))
      .finally(() => {
        this.#underWay.delete(queueOf(head));
        this.#wake();
      });
    this.#underWay.set(queueOf(head), { tenant: head.tenant, webhook: head.webhook, over });
  }

  async #delivered(head: DueDelivery): Promise<void> {
    const { signal } = this.#givenUp;
    const result = await deliver(head, this.parts, signal);
    if (signal.aborted) return; // Its outcome is that of the stop, not of the receiver.
    if (result.state === 'delivered') this.#failing.delete(head.webhook);
    else this.#failing.add(head.webhook);
    await this.held.settle(head, result);
    this.parts.onTried?.(result);
  }

  #failed(error: unknown): void {
    this.#failure ??= { error };
    this.#wake();
  }
}

/**
 * Resolves as the work does, and at the latest a while after `signal` has aborted: a statement to a PostgreSQL that
 * stands still never ends, and nothing that is written after a stop counts.
 */
const untilStopped = async (work: Promise<void>, signal: AbortSignal): Promise<void> => {
  const over = new AbortController();
  const stopped = once(signal, 'abort', { signal: over.signal }).then(
    () => settledWithin(STOP_MAX_MS + STOP_MARGIN_MS, work),
    () => undefined,
  );
  try {
    await Promise.race([work, signal.aborted ? settledWithin(STOP_MAX_MS, work) : stopped]);
  } finally {
    over.abort();
  }
};

/** Resolves when all have settled, and at the latest after the time. */
const settledWithin = async (milliseconds: number, all: Promise<unknown>): Promise<void> => {
  const late = new AbortController();
  await Promise.race([all, delay(milliseconds, undefined, { signal: late.signal }).catch(() => undefined)]);
  late.abort();
};

/** What is sent one after the other. */
const queueOf = ({ webhook, session }: DueDelivery): string => `${webhook} ${session}`;
