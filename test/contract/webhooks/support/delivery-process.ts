import { setImmediate as yieldToLoop } from 'node:timers/promises';
import { openWebhookSender } from '@app/adapters/hooks-http';
import {
  auditPayload,
  openWebhookDeliveries,
  openWebhookSecrets,
  type ReadModelDatabase,
} from '@app/adapters/read-model-postgres';
import { newSecretKey, openSecretBox, readSecretKeys } from '@app/adapters/secret-box';
import { runWebhooks, type WebhookParts } from '@app/application';
import type { EventLog, SecretBox } from '@app/ports';
import type { ScriptedLog } from '../../read-model/support/scripted-log.js';

/** A secret box with its own key. */
export const newBox = (): SecretBox => openSecretBox(readSecretKeys(newSecretKey()) ?? []);
/** The box that encrypts secrets in these tests. */
export const BOX = newBox();

/** A clock that advances only when code waits for it. */
export class Clock {
  /** Slightly ahead of the database's clock, which sets a delivery's first due time. */
  ms = Date.now() + 60_000;
  readonly now = (): number => this.ms;
  /** Advances the clock instead of waiting; waits only for new events. */
  readonly pause = async (milliseconds: number, signal: AbortSignal): Promise<void> => {
    if (Number.isFinite(milliseconds)) {
      this.ms += milliseconds;
      return yieldToLoop();
    }
    if (signal.aborted) return;
    await new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  };
}

/** Reads the one event at a revision of a stream. */
const readForwards = (log: ScriptedLog): EventLog['readForwards'] =>
  async function* (stream, { from = 0 } = {}) {
    for (const recorded of log.events)
      if (recorded.stream === stream && recorded.revision >= from) yield recorded;
  };

/** A webhook delivery process, which runs until it is stopped. */
export class DeliveryProcess {
  readonly errors: unknown[] = [];
  /** Reported unreadable events. */
  readonly unreadable: unknown[] = [];
  readonly #stop = new AbortController();
  readonly #over: Promise<void>;

  constructor(
    database: ReadModelDatabase,
    log: ScriptedLog,
    clock: Clock,
    changed: Partial<WebhookParts> = {},
  ) {
    const parts: WebhookParts = {
      deliveries: openWebhookDeliveries(database, log, (error) => this.unreadable.push(error)),
      secrets: openWebhookSecrets(database, BOX),
      sender: openWebhookSender({ allowPrivate: true, timeLimitMs: 5_000 }),
      log: { readForwards: readForwards(log) },
      factsOf: auditPayload,
      now: clock.now,
      random: () => 0.5,
      pace: clock,
      onError: (error) => this.errors.push(error),
      ...changed,
    };
    this.#over = runWebhooks(parts, this.#stop.signal);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#over;
  }
}
