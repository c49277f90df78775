import type { SessionEvent, TenantState, Webhook } from '@app/domain';
import { AppError, IsoTime, isUnreadable, type JsonObject, sessionStream, type WebhookId } from '@app/kernel';
import type {
  DeliveryResult,
  DueDelivery,
  EventLog,
  RecordedInLog,
  WebhookAnswer,
  WebhookSecrets,
  WebhookSender,
} from '@app/ports';
import { cloudEventOf } from './cloud-event.js';

export type DeliverParts = {
  readonly sender: WebhookSender;
  readonly secrets: Pick<WebhookSecrets, 'of'>;
  readonly log: Pick<EventLog, 'readForwards'>;
  readonly factsOf: (event: SessionEvent) => JsonObject;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** From 0 to 1. */
  readonly random: () => number;
};

/** An attempt; `recordedAt` is the time of the event, if it could be read. */
export type Tried = DeliveryResult & { readonly recordedAt?: IsoTime };

/** Status with which a receiver unsubscribes. */
const GONE = 410;

/** Returns the ID of a delivery, which is the same for every attempt so that receivers can deduplicate. */
const idOf = ({ webhook, position }: DueDelivery): string => `${webhook}-${position}`;

/**
 * Performs one attempt and returns the new state of the delivery.
 *
 * @throws {AppError} if event store or database are unavailable, which does not count as an attempt.
 */
export const deliver = async (
  delivery: DueDelivery,
  parts: DeliverParts,
  signal?: AbortSignal,
): Promise<Tried> => {
  const { sender, factsOf } = parts;
  const counting = await secretsOf(delivery, parts);
  const recorded = await eventOf(delivery, parts);
  if (counting === 'unreadable')
    return resultOf({ kind: 'unsendable', reason: 'secret-unreadable' }, delivery, parts);
  if (counting.length === 0) return resultOf({ kind: 'unsendable', reason: 'no-secret' }, delivery, parts);
  if (!recorded) return resultOf({ kind: 'unsendable', reason: 'no-event' }, delivery, parts);
  const body = cloudEventOf(recorded, delivery.content, factsOf);
  const call = { url: delivery.url, id: idOf(delivery), body, secrets: counting };
  const answer = await sender.send(call, signal);
  return { ...resultOf(answer, delivery, parts), recordedAt: recorded.recordedAt };
};

/** Failures that are not the receiver's. */
type Unsendable = {
  readonly kind: 'unsendable';
  readonly reason: 'no-secret' | 'secret-unreadable' | 'no-event';
};

const resultOf = (
  answer: WebhookAnswer | Unsendable,
  { attempts }: DueDelivery,
  { now, random }: DeliverParts,
): DeliveryResult => {
  const at = now();
  const tried = { triedAt: timeOf(at), nextAt: timeOf(at), outcome: outcomeOf(answer) };
  if (answer.kind === 'delivered') return { ...tried, state: 'delivered' };
  const retryAfterMs = answer.kind === 'refused' ? answer.retryAfterMs : undefined;
  const isGone = answer.kind === 'refused' && answer.status === GONE;
  const pause = isGone ? undefined : pauseAfter(attempts + 1, retryAfterMs, random());
  if (pause === undefined) return { ...tried, state: 'dead' };
  return { ...tried, state: 'pending', nextAt: timeOf(at + pause) };
};

/** Returns the recorded outcome: a status or a fixed word, never text of the receiver. */
export const outcomeOf = (answer: WebhookAnswer | Unsendable): string =>
  'status' in answer ? String(answer.status) : answer.reason;

/** Returns the signing secrets; if this process lacks their sealing key, only this webhook fails. */
const secretsOf = async (
  { tenant, webhook }: DueDelivery,
  { secrets, now }: DeliverParts,
): Promise<readonly string[] | 'unreadable'> => {
  try {
    return await secrets.of(tenant, webhook, timeOf(now()));
  } catch (error) {
    if (error instanceof AppError && error.code === 'secret-unreadable') return 'unreadable';
    throw error;
  }
};

const eventOf = async (
  { tenant, session, revision, position }: DueDelivery,
  { log }: DeliverParts,
): Promise<RecordedInLog | undefined> => {
  const range = { from: revision, limit: 1 };
  try {
    for await (const recorded of log.readForwards(sessionStream(tenant, session), range))
      return recorded.revision === revision ? { ...recorded, position } : undefined;
  } catch (error) {
    // Only this delivery fails eventually; others are not blocked.
    if (!isUnreadable(error)) throw error;
  }
  return undefined;
};

const timeOf = (milliseconds: number): IsoTime => IsoTime(new Date(milliseconds));

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Pauses after each failed attempt, one day in total. One more attempt follows the last pause. */
export const PAUSES_MS: readonly number[] = [
  5_000,
  30_000,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
  8 * HOUR_MS,
  8 * HOUR_MS,
];
/** Random share by which pauses vary, so that deliveries that failed together are not retried together. */
const JITTER = 0.2;
/** Maximum of a receiver's `Retry-After`. */
const RETRY_AFTER_MAX_MS = 24 * HOUR_MS;

/**
 * Returns the pause after a failed attempt, at least the receiver's `Retry-After`; `undefined` after the last attempt.
 *
 * @param tries number of attempts so far, including the failed one.
 * @param random from 0 to 1.
 */
export const pauseAfter = (
  tries: number,
  retryAfterMs: number | undefined,
  random: number,
): number | undefined => {
  const pause = PAUSES_MS[tries - 1];
  if (pause === undefined) return undefined;
  const jittered = Math.round(pause * (1 + JITTER * (2 * random - 1)));
  return Math.max(jittered, Math.min(retryAfterMs ?? 0, RETRY_AFTER_MAX_MS));
};

/** @throws {AppError} `webhook-not-found`. */
export const webhookIn = (tenant: TenantState, webhookId: WebhookId): Webhook => {
  const webhooks = tenant.status === 'registered' ? tenant.webhooks : [];
  const found = webhooks.find((one) => one.webhookId === webhookId);
  if (found) return found;
  throw new AppError('webhook-not-found', `there is no webhook ${webhookId}`);
};
