import { type CompactionId, MessageId } from '@app/kernel';
import { type Message, textBlock } from '../message/index.js';
import { parseQuoteLine } from '../quotes/quote-line.js';

/**
 * Returns messages that represent an earlier summary: the quoted user messages, and the rest under the id of its
 * compaction, so that facts missing from the next summary are detected.
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
