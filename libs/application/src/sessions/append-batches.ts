import type { Message } from '@app/domain';
import { weightOf } from '@app/kernel';

/** Maximum bytes of one append. */
const BATCH_BYTES = 400_000;
export const BATCH_MESSAGES = 500;

/** Splits messages into batches for one append each. */
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
