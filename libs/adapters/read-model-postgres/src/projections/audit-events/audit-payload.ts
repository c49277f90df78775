import type { SessionEvent, SessionEventType, TenantDecision } from '@app/domain';
import type { JsonObject } from '@app/kernel';
import { compactionPayloads } from './payloads/compaction-payloads.js';
import { conversationPayloads } from './payloads/conversation-payloads.js';
import { markPayloads } from './payloads/mark-payloads.js';
import type { DataOf, Payloads } from './payloads/payloads.js';
import { requestPayloads } from './payloads/request-payloads.js';
import { type DecisionData, TENANT_PAYLOADS } from './payloads/tenant-payloads.js';

/** A new type of event does not compile until it has been decided what of it may be shown. */
const PAYLOADS: Payloads<SessionEventType> = {
  ...conversationPayloads,
  ...requestPayloads,
  ...compactionPayloads,
  ...markPayloads,
};

/**
 * What an auditor sees of an event: its facts, named one by one, and never content. Of texts that is their length
 * and digest; of messages, tools, labels and files how many there are. Reasons are given for the audit: they are in it.
 */
export const auditPayload = ({ type, data }: SessionEvent): JsonObject => payloadOf(type, data);

const payloadOf = <Type extends SessionEventType>(type: Type, data: DataOf<Type>): JsonObject =>
  PAYLOADS[type](data);

/** The same of a decision about the tenant itself. */
export const decisionPayload = ({ type, data }: TenantDecision): JsonObject => decided(type, data);

const decided = <Type extends TenantDecision['type']>(type: Type, data: DecisionData<Type>): JsonObject =>
  TENANT_PAYLOADS[type](data);
