import { isJsonObject, type Json, type JsonObject } from '@app/kernel';
import { listIn, stringIn } from '../drafts/members.js';
import type { Recognition } from '../format.js';

/** Whether `value` is an event of OpenHands, a list of them, or an object that holds one, such as a benchmark's line. */
export const recognizeOpenHands = (value: Json): Recognition => {
  const isKnown = (isJsonObject(value) && isEvent(value)) || eventsIn(value) !== undefined;
  return isKnown ? 'certain' : 'no';
};

/** Returns the events of a document in order; `undefined` without any. */
export const eventsIn = (value: Json): readonly Json[] | undefined => {
  const lists: readonly (readonly Json[] | undefined)[] = Array.isArray(value)
    ? [value]
    : isJsonObject(value)
      ? MEMBERS.map((member) => listIn(value, member))
      : [];
  // Old benchmarks have pairs of action and observation.
  return lists
    .map((list) => list?.flat())
    .find((list) => list?.some((event) => isJsonObject(event) && isEvent(event)));
};
const MEMBERS = ['history', 'trajectory', 'events'];

/** Returns whether an event is of the first version (`action`, `observation`) or of the agent SDK (`kind`). */
export const isEvent = (event: JsonObject): boolean => isOfFirst(event) || isOfSdk(event);

const isOfFirst = (event: JsonObject): boolean =>
  ((typeof event.action === 'string' && isJsonObject(event.args)) ||
    (typeof event.observation === 'string' && isJsonObject(event.extras))) &&
  ('source' in event || typeof event.id === 'number' || 'message' in event);

export const isOfSdk = (event: JsonObject): boolean =>
  KINDS.has(stringIn(event, 'kind') ?? '') && 'source' in event;

const KINDS = new Set([
  'SystemPromptEvent',
  'MessageEvent',
  'ActionEvent',
  'ObservationEvent',
  'UserRejectObservation',
  'AgentErrorEvent',
  'Condensation',
  'CondensationRequest',
  'CondensationSummaryEvent',
  'ConversationStateUpdateEvent',
  'ConversationErrorEvent',
  'TokenEvent',
  'PauseEvent',
  'InterruptEvent',
  'HookExecutionEvent',
  'LLMCompletionLogEvent',
  'StreamingDeltaEvent',
  'ACPToolCallEvent',
]);
