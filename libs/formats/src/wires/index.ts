import { anthropicWire } from './anthropic/anthropic-wire.js';
import { openAiChatWire } from './openai-chat/openai-chat-wire.js';
import { openAiResponsesWire } from './openai-responses/openai-responses-wire.js';
import type { Wire, WireName } from './wire.js';

export { COUNT_HEADERS, COUNT_PATH, countBody, countIn } from './anthropic/counting.js';
export { bodyOfForm, clientFormOf } from './client-form.js';
export { type BodyPart, KnownHistories, type ReadBody } from './known-histories.js';
export type { OutputLimit } from './output-length.js';
export { type ServerEvent, serverEvents } from './raw/sse.js';
export { framesOf } from './recall/frames.js';
export { sessionBody } from './session-body.js';
export * from './wire.js';
export { type Client, type Origin, type WireBody, writeBody } from './write-body.js';

const WIRE_OF: Readonly<Record<WireName, Wire>> = {
  anthropic: anthropicWire,
  'openai-chat': openAiChatWire,
  'openai-responses': openAiResponsesWire,
};
export const wireOf = (name: WireName): Wire => WIRE_OF[name];
