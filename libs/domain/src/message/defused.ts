/** The names of all tags by which this engine tells what a text in a request is. */
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
 * A text as it stands within a tag of ours: nothing in it ends that tag, or begins another one, however it is spelled (case, blanks,
 * invisible characters). What is changed reads the same: a backslash follows the bracket. To be applied twice changes nothing.
 */
export const defused = (text: string): string => text.replace(TAG, '<\\');
