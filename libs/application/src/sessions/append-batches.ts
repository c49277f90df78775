import type { Message } from '@app/domain';
import { weightOf } from '@app/kernel';

/** What one append may hold: more is sent in several. */
const BATCH_BYTES = 400_000;
export const BATCH_MESSAGES = 500;

/** Messages in their order, parted so that each part is one append. */
export const appendBatches = <Said extends Pick<Message, 'blocks'>>(messages: readonly Said[]): Said[][] => {
  const batches: Said[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const message of messages) {
    const weight = weightOf(message.blocks);
    if (size + weight > BATCH_BYTES || batches.at(-1)?.length === BATCH_MESSAGES) {
      batches.push([]);
      size = 0;
    }
    batches.at(-1)?.push(message);
    size += weight;
  }
  return batches;
};
