import { once } from 'node:events';
import { within } from '@app/kernel';
import type {
  DueDelivery,
  HeldDeliveries,
  TriedDelivery,
  WebhookDeliveries,
  WebhookSecrets,
} from '@app/ports';
import { type DeliverParts, deliver, type Tried } from './deliver.js';

/** Clock and timer; tests replace them. */
export type WebhookPace = {
  /** Resolves after the time, or at once when `signal` aborts. */
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<void>;
};
export type WebhookParts = DeliverParts & {
  readonly deliveries: Pick<WebhookDeliveries, 'hold'>;
  readonly pace: WebhookPace;
  /** Called after an attempt has been recorded. */
  readonly onTried?: (tried: Tried) => void;
  readonly onError: (error: unknown) => void;
};

/**
 * Maximum of concurrent attempts: in total, of one webhook, and of one whose newest attempt failed. A tenant uses at most half
 * of the slots that other tenants leave, so that there is always a slot for another tenant.
 */
const SENDING_MAX = 64;
const SENDING_A_WEBHOOK = 8;
const SENDING_A_FAILING = 1;
/** Milliseconds for running attempts after the stop signal; then they are abandoned without an outcome. */
const STOP_MAX_MS = 2_000;
/** Additional milliseconds for the last statements on the connection. */
const STOP_MARGIN_MS = 500;
const BEGIN_AGAIN_MIN_MS = 250;
const BEGIN_AGAIN_MAX_MS = 10_000;

/**
 * Sends deliveries until `signal` aborts; only one of several processes is active. Events of a session are sent to a webhook in
 * order: the next one follows when the previous one is delivered or dead. Each event is sent at least once with the same ID,
 * also after a crash. Resolves within three seconds after `signal` aborts.
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
  /** Aborts abandoned attempts, of which nothing is recorded. */
  readonly #givenUp = new AbortController();
  readonly #failing = new Set<string>();
  /** Results that wait for the statement under way. */
  #tried: TriedDelivery[] = [];
  #recording: Promise<void> = Promise.resolve();
  #failure: { readonly error: unknown } | undefined;
  #wake = (): void => {};

  constructor(
    private readonly parts: WebhookParts,
    private readonly held: HeldDeliveries,
  ) {}

  /** @throws errors of the subscription, or of an attempt that does not count; no attempt is running then. */
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
      await within(STOP_MAX_MS, all);
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
      const secrets = readOnce(this.parts.secrets);
      for (const head of waiting.filter(({ nextAt }) => Date.parse(nextAt) <= now))
        if (this.#hasRoomFor(head)) this.#try(head, secrets);
      if (this.#failure) return;
      const nextMs = Math.min(
        ...waiting
          .filter((head) => !this.#underWay.has(queueOf(head)))
          .map(({ nextAt }) => Date.parse(nextAt)),
      );
      // An event that arrived during the query has already aborted the signal.
      if (woken.signal.aborted || signal.aborted) continue;
      // If all slots are taken, the end of an attempt wakes the loop.
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

  #try(head: DueDelivery, secrets: DeliverParts['secrets']): void {
    const over = this.#delivered(head, secrets)
      .catch((error: unknown) => this.#failed(error))
      .finally(() => {
        this.#underWay.delete(queueOf(head));
        this.#wake();
      });
    this.#underWay.set(queueOf(head), { tenant: head.tenant, webhook: head.webhook, over });
  }

  async #delivered(head: DueDelivery, secrets: DeliverParts['secrets']): Promise<void> {
    const { signal } = this.#givenUp;
    const result = await deliver(head, { ...this.parts, secrets }, signal);
    if (signal.aborted) return; // The attempt was aborted by the stop, not by the receiver.
    if (result.state === 'delivered') this.#failing.delete(head.webhook);
    else this.#failing.add(head.webhook);
    await this.#recorded({ delivery: head, result });
    this.parts.onTried?.(result);
  }

  /** Resolves when the result is recorded: one statement takes all that came during the statement before. */
  #recorded(tried: TriedDelivery): Promise<void> {
    this.#tried.push(tried);
    this.#recording = this.#recording.then(async () => {
      const all = this.#tried.splice(0);
      if (all.length > 0) await this.held.settle(all);
    });
    return this.#recording;
  }

  #failed(error: unknown): void {
    this.#failure ??= { error };
    this.#wake();
  }
}

/**
 * Settles with the work, or shortly after `signal` has aborted: a statement to a hanging PostgreSQL never ends, and nothing
 * recorded after the stop matters.
 */
const untilStopped = async (work: Promise<void>, signal: AbortSignal): Promise<void> => {
  const over = new AbortController();
  const stopped = once(signal, 'abort', { signal: over.signal }).then(
    () => within(STOP_MAX_MS + STOP_MARGIN_MS, work),
    () => undefined,
  );
  try {
    await Promise.race([work, signal.aborted ? within(STOP_MAX_MS, work) : stopped]);
  } finally {
    over.abort();
  }
};

/** Reads the secrets of each webhook once, for attempts that begin together. */
const readOnce = (secrets: DeliverParts['secrets']): DeliverParts['secrets'] => {
  const read = new Map<string, ReturnType<WebhookSecrets['of']>>();
  return {
    of: (tenant, webhook, now) => {
      const known = read.get(webhook) ?? secrets.of(tenant, webhook, now);
      read.set(webhook, known);
      return known;
    },
  };
};

/** Returns the key of deliveries that are sent in sequence. */
const queueOf = ({ webhook, session }: DueDelivery): string => `${webhook} ${session}`;
