import type { SessionEvent } from '@app/domain';
import { AppError, IsoTime, type JsonObject, sessionStream } from '@app/kernel';
import type {
  DeliveryResult,
  DueDelivery,
  EventLog,
  RecordedInLog,
  WebhookAnswer,
  WebhookSecrets,
  WebhookSender,
} from '@app/ports';
import { pauseAfter } from './backoff.js';
import { cloudEventOf } from './cloud-event.js';

export type DeliverParts = {
  readonly sender: WebhookSender;
  readonly secrets: WebhookSecrets;
  readonly log: Pick<EventLog, 'readForwards'>;
  readonly factsOf: (event: SessionEvent) => JsonObject;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** From 0 to 1. */
  readonly random: () => number;
};

/** `recordedAt`: of the event, where it could be read. */
export type Tried = DeliveryResult & { readonly recordedAt?: IsoTime };

/** A receiver says by it that it wants nothing more. */
const GONE = 410;

/** The same for every try, so that receivers know what they have seen. */
const idOf = ({ webhook, position }: DueDelivery): string => `${webhook}-${position}`;

/**
 * One try, and what it makes of the delivery.
 *
 * @throws {AppError} where the log or the database is away: that is no try.
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

/** What no receiver is at fault for. */
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

/** A status, or a word of ours: never anything that the receiver wrote. */
export const outcomeOf = (answer: WebhookAnswer | Unsendable): string =>
  'status' in answer ? String(answer.status) : answer.reason;

/** Where this process lacks the key that they were sealed with, other webhooks do not wait for it. */
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
    // It alone is given up in the end, and the others do not wait for it for ever.
    if (!(error instanceof AppError && error.code === 'corrupt-event')) throw error;
  }
  return undefined;
};

const timeOf = (milliseconds: number): IsoTime => IsoTime(new Date(milliseconds));
