import type { SessionEventType } from '@app/domain';
import { LogPosition, Revision, type StreamName, sessionOf } from '@app/kernel';
import type { BlobStore, Delivery, LogItem, RecordedInLog, Subscriptions } from '@app/ports';
import {
  type AllStreamRecordedEvent,
  type AllStreamResolvedEvent,
  BACKWARDS,
  END,
  type EventStoreDBClient,
  eventTypeFilter,
  PARK,
  PersistentSubscriptionExistsError,
  persistentSubscriptionToAllSettingsFromDefaults,
  RETRY,
  START,
  streamNameFilter,
} from '@eventstore/db-client';
import { decode } from './codec/codec.js';
import { portError } from './errors.js';
import { Feed } from './feed.js';

const SESSIONS = ['session-'];
/** A checkpoint at least every so many windows of 32 events that are not ours. */
const CHECKPOINT_INTERVAL = 16;
/** A compaction may take this long before the log believes its worker dead and gives it to another. */
const DELIVERY_TIMEOUT_MS = 300_000;
/** What a worker holds at a time: one is worked on, the next waits. */
const DELIVERY_BUFFER = 2;

export class EventStoreDbSubscriptions implements Subscriptions {
  constructor(
    private readonly client: EventStoreDBClient,
    private readonly blobs: BlobStore,
  ) {}

  async *catchUp(after: LogPosition | 'start', signal: AbortSignal): AsyncIterable<LogItem> {
    // The callback comes into use after `feed` exists: nothing arrives before the next turn of the event loop.
    const checkpointReached = (_: unknown, { commit }: { commit: bigint }): Promise<void> =>
      feed.pushInOrder(commit);
    const filter = streamNameFilter({
      prefixes: SESSIONS,
      checkpointInterval: CHECKPOINT_INTERVAL,
      checkpointReached,
    });
    const fromPosition = after === 'start' ? START : { commit: after, prepare: after };
    const subscription = this.client.subscribeToAll({ fromPosition, filter });
    const feed = new Feed<AllStreamResolvedEvent | bigint>(
      subscription,
      () => subscription.unsubscribe(),
      signal,
    );
    try {
      for await (const item of feed.items()) {
        if (typeof item === 'bigint') yield { kind: 'checkpoint', position: LogPosition(item) };
        else if (item.event) yield { kind: 'event', recorded: await this.recorded(item.event) };
      }
    } catch (error) {
      if (!signal.aborted) throw portError(error);
    }
  }

  async *durable(
    group: string,
    types: readonly SessionEventType[],
    signal: AbortSignal,
  ): AsyncIterable<Delivery> {
    await this.ensureGroup(group, types);
    const subscription = this.client.subscribeToPersistentSubscriptionToAll(group, {
      bufferSize: DELIVERY_BUFFER,
    });
    const feed = new Feed<PersistentEvent>(subscription, () => subscription.unsubscribe(), signal);
    try {
      for await (const resolved of feed.items()) {
        if (!resolved.event || sessionOf(resolved.event.streamId) === undefined) {
          await subscription.ack(resolved);
          continue;
        }
        yield {
          recorded: await this.recorded(resolved.event),
          retries: resolved.retryCount ?? 0,
          ack: () => subscription.ack(resolved),
          retry: (reason) => subscription.nack(RETRY, reason, resolved),
          park: (reason) => subscription.nack(PARK, reason, resolved),
        };
      }
    } catch (error) {
      if (!signal.aborted) throw portError(error);
    }
  }

  async head(): Promise<LogPosition | 'start'> {
    try {
      const last = this.client.readAll({ direction: BACKWARDS, fromPosition: END, maxCount: 1 });
      const feed = new Feed<AllStreamResolvedEvent>(last, () => last.cancel());
      for await (const { event } of feed.items()) if (event) return LogPosition(event.position.commit);
      return 'start';
    } catch (error) {
      throw portError(error);
    }
  }

  private async ensureGroup(group: string, types: readonly SessionEventType[]): Promise<void> {
    const settings = persistentSubscriptionToAllSettingsFromDefaults({
      startFrom: START,
      messageTimeout: DELIVERY_TIMEOUT_MS,
      maxRetryCount: 20,
    });
    const regex = `^(${types.join('|')})$`;
    try {
      await this.client.createPersistentSubscriptionToAll(group, settings, {
        filter: eventTypeFilter({ regex }),
      });
    } catch (error) {
      if (!(error instanceof PersistentSubscriptionExistsError)) throw portError(error);
    }
  }

  private async recorded({
    id,
    streamId,
    revision,
    position,
    type,
    data,
    metadata,
  }: AllStreamRecordedEvent): Promise<RecordedInLog> {
    const place = `event ${revision} of ${streamId}`;
    const decoded = await decode({ type, data, metadata, place }, this.blobs);
    // The filter lets session streams pass alone.
    const stream = streamId as StreamName;
    return {
      id,
      stream,
      revision: Revision(Number(revision)),
      position: LogPosition(position.commit),
      ...decoded,
    };
  }
}

/** What a persistent subscription hands out: an event, and how often it has been handed out before. */
type PersistentEvent = AllStreamResolvedEvent & { readonly retryCount?: number };
