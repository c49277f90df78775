import type { JsonObject } from '@app/kernel';
import { objectIn } from '../drafts/members.js';

/** Records that Claude Code keeps for itself: what it shows its user, and what it needs to go on with a session. */
const NOTES = new Set([
  ...['summary', 'system', 'progress', 'attachment', 'queue-operation', 'last-prompt', 'custom-title'],
  ...['ai-title', 'agent-name', 'agent-color', 'agent-setting', 'tag', 'mode', 'permission-mode', 'pr-link'],
  ...['file-history-snapshot', 'file-history-delta', 'worktree-state', 'content-replacement'],
  ...['attribution-snapshot', 'speculation-accept', 'task-summary', 'bridge-session'],
  ...['marble-origami-commit', 'marble-origami-snapshot', 'started', 'result'],
]);

export const isMessage = ({ type }: JsonObject): boolean => type === 'user' || type === 'assistant';
export const isNote = ({ type }: JsonObject): boolean => NOTES.has(String(type));

/** What the user said while the model was at work was given to it with the next results: it is in no record of its own. */
export const withQueued = (record: JsonObject): JsonObject => {
  if (record.type !== 'attachment') return record;
  const { type, prompt } = objectIn(record, 'attachment') ?? {};
  if (type !== 'queued_command' || (typeof prompt !== 'string' && !Array.isArray(prompt))) return record;
  return { ...record, type: 'user', isMeta: true, message: { role: 'user', content: prompt } };
};
