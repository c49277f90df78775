import type { JsonObject } from '@app/kernel';

/** Internal records of Claude Code: display and resume state. */
const NOTES = new Set([
  ...['summary', 'system', 'progress', 'attachment', 'queue-operation', 'last-prompt', 'custom-title'],
  ...['ai-title', 'agent-name', 'agent-color', 'agent-setting', 'tag', 'mode', 'permission-mode', 'pr-link'],
  ...['file-history-snapshot', 'file-history-delta', 'worktree-state', 'content-replacement'],
  ...['attribution-snapshot', 'speculation-accept', 'task-summary', 'bridge-session'],
  ...['marble-origami-commit', 'marble-origami-snapshot', 'marble-origami-reset', 'started', 'result'],
  ...['cost-state', 'frame-link', 'atis-latch', 'isolation-latch', 'ended-by-model'],
  ...['artifact-autoreact-ledger', 'artifact-comment-monitor'],
  // Records of its output stream only.
  ...['stream_event', 'rate_limit_event', 'tool_progress', 'tool_use_summary', 'auth_status', 'keep_alive'],
  ...['control_request', 'control_response', 'control_cancel_request', 'prompt_suggestion'],
]);

export const isMessage = ({ type }: JsonObject): boolean => type === 'user' || type === 'assistant';
export const isNote = ({ type }: JsonObject): boolean => NOTES.has(String(type));
