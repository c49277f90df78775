import type { SessionEvent, SessionEventType } from '@app/domain';
import type { JsonObject } from '@app/kernel';
import { compactionPayloads } from './payloads/compaction-payloads.js';
import { conversationPayloads } from './payloads/conversation-payloads.js';
import { markPayloads } from './payloads/mark-payloads.js';
import type { DataOf, Payloads } from './payloads/payloads.js';
import { requestPayloads } from './payloads/request-payloads.js';

/** A new type of event does not compile until it has been decided what of it may be shown. */
const PAYLOADS: Payloads<SessionEventType> = {
  ...conversationPayloads,
  ...requestPayloads,
  ...compactionPayloads,
  ...markPayloads,
};

/**
 * What an auditor sees of an event: its facts, named one by one, and never content. Of texts that is their length
 * and digest; of messages, tools, labels and files how many there are.
 */
export const auditPayload = ({ type, data }: SessionEvent): JsonObject => payloadOf(type, data);

const payloadOf = <Type extends SessionEventType>(type: Type, data: DataOf<Type>): JsonObject =>
  PAYLOADS[type](data);
