import { type CompactionId, MessageId } from '@app/kernel';
import { type Message, textBlock } from '../message/index.js';

const TEXT = [
  'The older part of this conversation was compacted while you were at work; the record of it stands above.',
  'Go on with the work of this turn from where it stopped. What is reported as done is done: do not repeat it.',
  'If nothing is left to do, say so; if the next step needs an approval, ask for it.',
].join('\n');

/** Returns the message that continues interrupted work: in the user's place, and not counted as user text. */
export const continuationOf = (compactionId: CompactionId): Message => ({
  id: MessageId(`continuation-${compactionId}`),
  role: 'user',
  blocks: [textBlock(TEXT)],
  synthetic: 'continuation',
});
