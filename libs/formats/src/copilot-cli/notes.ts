import type { JsonObject } from '@app/kernel';

/** Prefixes of event names that no model receives: each has many events, and newer versions have more. */
const NOTED = new Set([
  ...['session', 'hook', 'permission', 'subagent', 'skill', 'tool', 'external_tool', 'command', 'mcp'],
  ...['user_input', 'elicitation', 'exit_plan_mode', 'auto_mode_switch', 'model', 'capabilities', 'sampling'],
  ...['abort', 'pending_messages', 'commands', 'extensions', 'tool_search', 'factory', 'workflow', 'canvas'],
  ...['ui', 'mcp_app', 'session_limits_exhausted', 'managed_settings', 'auto_mode'],
]);
/** Single such events of groups that contain messages. */
const NOTES = new Set([
  ...['assistant.turn_start', 'assistant.turn_end', 'assistant.intent', 'assistant.reasoning'],
  ...['assistant.usage', 'assistant.streaming_delta', 'assistant.message_delta'],
  ...['assistant.reasoning_delta', 'assistant.message_start', 'assistant.tool_call_delta'],
  ...['assistant.idle', 'assistant.turn_retry', 'assistant.server_tool_progress'],
  ...['assistant.fusion_phase_started', 'assistant.fusion_phase_activity'],
  ...['assistant.fusion_phase_completed', 'assistant.fusion_phase_failed'],
]);

export const isNote = ({ type }: JsonObject): boolean => {
  const name = String(type);
  return NOTES.has(name) || NOTED.has(name.split('.')[0] ?? '');
};
