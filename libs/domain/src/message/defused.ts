/** Names of all tags that mark the origin of text in a request. */
const TAGS = [
  'collapsed-turn',
  'context-data',
  'conversation-record',
  'given-again',
  'pinned-content',
  'recalled',
  'stored-result',
  'system-message',
  'truncated-message',
];
const TAG = new RegExp(String.raw`<(?=[\s\p{Cf}/]*(?:${TAGS.join('|')})(?![\w-]))`, 'giu');

/**
 * Returns a text that is safe inside one of our tags and in its attributes: no part of it closes that tag or opens another,
 * in any spelling (case, blanks, invisible characters). Inserts a backslash after the bracket. Idempotent.
 */
export const defused = (text: string): string => text.replace(TAG, '<\\');
