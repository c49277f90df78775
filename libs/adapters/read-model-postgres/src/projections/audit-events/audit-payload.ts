import type { SessionEvent, SessionEventType, TenantDecision } from '@app/domain';
import type { JsonObject } from '@app/kernel';
import { compactionPayloads } from './payloads/compaction-payloads.js';
import { conversationPayloads } from './payloads/conversation-payloads.js';
import { markPayloads } from './payloads/mark-payloads.js';
import type { DataOf, Payloads } from './payloads/payloads.js';
import { protectionPayloads } from './payloads/protection-payloads.js';
import { requestPayloads } from './payloads/request-payloads.js';
import { type DecisionData, TENANT_PAYLOADS } from './payloads/tenant-payloads.js';

/** A new event type does not compile until its visible fields are decided here. */
const PAYLOADS: Payloads<SessionEventType> = {
  ...conversationPayloads,
  ...requestPayloads,
  ...compactionPayloads,
  ...markPayloads,
  ...protectionPayloads,
};

/**
 * Returns the payload of an event in the audit: listed facts, never content. Texts are represented by length and
 * digest; messages, tools, labels and files by count. Reasons are included, because they are given for the audit.
 */
export const auditPayload = ({ type, data }: SessionEvent): JsonObject => payloadOf(type, data);

const payloadOf = <Type extends SessionEventType>(type: Type, data: DataOf<Type>): JsonObject =>
  PAYLOADS[type](data);

/** The same of a decision about the tenant itself. */
export const decisionPayload = ({ type, data }: TenantDecision): JsonObject => decided(type, data);

const decided = <Type extends TenantDecision['type']>(type: Type, data: DecisionData<Type>): JsonObject =>
  TENANT_PAYLOADS[type](data);
