import type { JsonObject } from '@app/kernel';

/** Events of which no model is told, by the first part of their names: each has many, and newer versions have more. */
const NOTED = new Set([
  ...['session', 'hook', 'permission', 'subagent', 'skill', 'tool', 'external_tool', 'command', 'mcp'],
  ...['user_input', 'elicitation', 'exit_plan_mode', 'auto_mode_switch', 'model', 'capabilities', 'sampling'],
  ...['abort', 'pending_messages', 'commands', 'extensions'],
]);
/** Of those whose others are messages. */
const NOTES = new Set([
  ...['assistant.turn_start', 'assistant.turn_end', 'assistant.intent', 'assistant.reasoning'],
  ...['assistant.usage', 'assistant.streaming_delta', 'assistant.message_delta'],
  ...['assistant.reasoning_delta', 'assistant.message_start', 'assistant.tool_call_delta'],
]);

export const isNote = ({ type }: JsonObject): boolean => {
  const name = String(type);
  return NOTES.has(name) || NOTED.has(name.split('.')[0] ?? '');
};
