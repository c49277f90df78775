import type { SessionEvent } from '@app/domain';
import { type JsonObject, sessionOf } from '@app/kernel';
import type { RecordedInLog } from '@app/ports';
import { type ContentLevel, StreamedEvent } from '../streams/streamed-event.js';

/** What an event is called outside, where other programs' events stand beside it. */
const TYPE_PREFIX = 'palimpsest.';

/** An event as a CloudEvent 1.0 in its structured JSON form; `data` is what `GET /v1/stream` says of the same event. */
export const cloudEventOf = (
  recorded: RecordedInLog,
  content: ContentLevel,
  factsOf: (event: SessionEvent) => JsonObject,
): string => {
  const of = sessionOf(recorded.stream);
  if (!of) throw new TypeError('an event of no session is sent to nobody');
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

/** What a test call brings: an event that is recorded nowhere. */
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
