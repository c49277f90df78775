import { isJsonObject, type Json, type JsonObject } from '@app/kernel';

/**
 * Whether `value` looks like one message of a chat. Messages with `parts` are another protocol's, and those
 * with a `type` of their own are items of one that has tool calls beside its messages.
 */
export const isChatMessage = (value: Json): value is JsonObject =>
  isJsonObject(value) &&
  typeof value.role === 'string' &&
  ROLES.has(value.role) &&
  !('parts' in value) &&
  (value.type === undefined || value.type === 'message') &&
  ('content' in value || Array.isArray(value.tool_calls) || isJsonObject(value.function_call));

const ROLES = new Set(['user', 'assistant', 'system', 'developer', 'tool', 'function']);

/** The message that a record of a log has for its `message`; a record of an agent says of what type it is. */
export const wrappedMessage = (value: Json): JsonObject | undefined => {
  if (!isJsonObject(value) || value.type !== undefined || value.role !== undefined) return undefined;
  const { message } = value;
  return message !== undefined && isChatMessage(message) ? message : undefined;
};
