import type { SessionEvent } from '@app/domain';
import { type JsonObject, sessionOf } from '@app/kernel';
import type { RecordedInLog } from '@app/ports';
import { type ContentLevel, StreamedEvent } from '../streams/streamed-event.js';

/** Prefix of event types outside of Palimpsest. */
const TYPE_PREFIX = 'palimpsest.';

/** Returns an event as a CloudEvent 1.0 in structured JSON mode; `data` equals that of `GET /v1/stream`. */
export const cloudEventOf = (
  recorded: RecordedInLog,
  content: ContentLevel,
  factsOf: (event: SessionEvent) => JsonObject,
): string => {
  const of = sessionOf(recorded.stream);
  if (!of) throw new TypeError('only events of sessions are sent to webhooks');
  const { tenant, session } = of;
  const envelope = {
    specversion: '1.0',
    id: recorded.id,
    source: `/tenants/${tenant}/sessions/${session}`,
    type: `${TYPE_PREFIX}${recorded.event.type}`,
    subject: session,
    time: recorded.recordedAt,
    datacontenttype: 'application/json',
  };
  const data = new StreamedEvent(recorded, session, factsOf).json(content);
  return `${JSON.stringify(envelope).slice(0, -1)},"data":${data}}`;
};

/** Returns the unrecorded event of a test delivery. */
export const testEventOf = (tenant: string, webhook: string, id: string, time: string): string =>
  JSON.stringify({
    specversion: '1.0',
    id,
    source: `/tenants/${tenant}/webhooks/${webhook}`,
    type: `${TYPE_PREFIX}WebhookTest`,
    time,
    datacontenttype: 'application/json',
    data: { webhook },
  });
