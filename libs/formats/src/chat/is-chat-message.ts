import { isJsonObject, type Json, type JsonObject } from '@app/kernel';

/**
 * Returns whether `value` looks like a chat message. Messages with `parts` belong to another protocol, and those with
 * a `type` are items of a protocol with separate tool calls.
 */
export const isChatMessage = (value: Json): value is JsonObject =>
  isJsonObject(value) &&
  typeof value.role === 'string' &&
  ROLES.has(value.role) &&
  !('parts' in value) &&
  (value.type === undefined || value.type === 'message') &&
  ('content' in value || Array.isArray(value.tool_calls) || isJsonObject(value.function_call));

const ROLES = new Set(['user', 'assistant', 'system', 'developer', 'tool', 'function']);

/** Returns the `message` of a log record; records of agents have a type and are excluded. */
export const wrappedMessage = (value: Json): JsonObject | undefined => {
  if (!isJsonObject(value) || value.type !== undefined || value.role !== undefined) return undefined;
  const { message } = value;
  return message !== undefined && isChatMessage(message) ? message : undefined;
};
