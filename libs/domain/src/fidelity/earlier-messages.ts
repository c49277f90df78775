import { type CompactionId, MessageId } from '@app/kernel';
import { type Message, textBlock } from '../message/index.js';
import { parseQuoteLine } from '../quotes/quote-line.js';

/**
 * What an earlier summary stands for, as far as it says: the user's messages that it quotes, and the rest under the
 * id of its compaction. So what it still had, and the next one has not, is missed.
 */
export const earlierMessages = (summary: string, compactionId: CompactionId): readonly Message[] => {
  const rest: string[] = [];
  const quoted: Message[] = [];
  for (const line of summary.split('\n')) {
    const quote = parseQuoteLine(line);
    if (!quote) rest.push(line);
    else {
      const blocks = quote.segments.map(({ text }) => textBlock(text));
      quoted.push({ id: MessageId(quote.id), role: 'user', blocks });
    }
  }
  return [
    ...quoted,
    { id: MessageId(compactionId), role: 'assistant', blocks: [textBlock(rest.join('\n'))] },
  ];
};
