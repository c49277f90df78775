import { currentMoment } from '@app/application';
import { readsStream, type StreamName, sessionOf, type TenantId, tenantOf } from '@app/kernel';
import type { EventLog, Recorded, StoredEvent, Subscriptions } from '@app/ports';

/** Milliseconds after which an event that was read, not written, is expected to be in the rows. */
const RECENT_MS = 60_000;

/** Rows of which a caller expects to contain its own writes: of all tenants, of one, or the reads of its records. */
export type RowsOf = 'all' | TenantId | { readonly readsOf: TenantId };

/**
 * Tenants whose newest events this process has recorded or shown, until they are known to be in the rows. Another process writes
 * the rows a moment later (ADR 0008).
 */
export class RecentEvents {
  /** The newest note of each key; every note is another object. */
  private readonly notes = new Map<string, object>();

  note(stream: StreamName): void {
    const tenant = sessionOf(stream)?.tenant ?? tenantOf(stream);
    if (tenant === undefined) return;
    if (stream === readsStream(tenant)) this.notes.set(keyOf({ readsOf: tenant }), {});
    else for (const rows of ['all', tenant] as const) this.notes.set(keyOf(rows), {});
  }

  /**
   * Calls `untilProjected` if these rows may lack an event, and forgets the event unless a newer one has been noted since. Does
   * so once in a moment: otherwise each of its reads would wait for what the tenant has written since the one before.
   */
  async settle(rows: RowsOf, untilProjected: () => Promise<void>): Promise<void> {
    const key = keyOf(rows);
    const moment = currentMoment();
    if (moment?.currentRows.has(key)) return;
    const note = this.notes.get(key);
    if (note !== undefined) {
      await untilProjected();
      if (this.notes.get(key) === note) this.notes.delete(key);
    }
    moment?.currentRows.add(key);
  }

  /** Notes the stream of an event that was read, if it is recent: the caller may have seen its effect. */
  see({ stream, recordedAt }: Pick<Recorded, 'stream' | 'recordedAt'>): void {
    if (Date.parse(recordedAt) > Date.now() - RECENT_MS) this.note(stream);
  }

  /** Wraps a log: notes every append, also one whose outcome is unknown. */
  ofLog<Evt extends StoredEvent>(log: EventLog<Evt>): EventLog<Evt> {
    return {
      append: async (stream, expected, events, context) => {
        try {
          return await log.append(stream, expected, events, context);
        } finally {
          this.note(stream);
        }
      },
      readForwards: (stream, range) => log.readForwards(stream, range),
      readBackwards: (stream, range) => log.readBackwards(stream, range),
    };
  }

  /** Wraps subscriptions: notes the events of sessions that callers wait for or stream. */
  ofSubscriptions(subscriptions: Subscriptions): Subscriptions {
    const see = this.see.bind(this);
    return {
      catchUp: async function* (after, signal) {
        for await (const item of subscriptions.catchUp(after, signal)) {
          if (item.kind === 'event') see(item.recorded);
          yield item;
        }
      },
      page: (request, signal) => subscriptions.page(request, signal),
      streamPage: (request, signal) => subscriptions.streamPage(request, signal),
      catchUpTenants: (after, signal) => subscriptions.catchUpTenants(after, signal),
      catchUpAll: (after, signal) => subscriptions.catchUpAll(after, signal),
      durable: (...given) => subscriptions.durable(...given),
      head: () => subscriptions.head(),
    };
  }
}

const keyOf = (rows: RowsOf): string => (typeof rows === 'object' ? `reads ${rows.readsOf}` : `of ${rows}`);
