import type { Subscriptions } from '@app/ports';
import type { StreamStop } from './stopped-streams.js';

const EVENTS_A_PAGE = 500;

/**
 * Returns whether an operator skipped the event in the projection. The decision is in the event's stream, after the
 * event, possibly after other unreadable events.
 */
export const isSkipped = async (
  subscriptions: Pick<Subscriptions, 'streamPage'>,
  { projection, stream, revision, position }: StreamStop,
  signal: AbortSignal,
): Promise<boolean> => {
  for (let from = position; ; ) {
    const { items, next } = await subscriptions.streamPage({ stream, from, limit: EVENTS_A_PAGE }, signal);
    for (const item of items) {
      if (item.kind !== 'event') continue;
      const { event } = item.recorded;
      if (event.type !== 'ProjectionSkipped' && event.type !== 'TenantEventSkipped') continue;
      if (event.data.projection === projection && event.data.revision === revision) return true;
    }
    if (next === undefined) return false;
    from = next;
  }
};
