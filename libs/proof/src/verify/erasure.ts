import type { Json } from '@app/kernel';
import type { Bundle, Receipt } from '../bundle/bundle.js';
import type { Fault } from './report.js';

/** The key in sealed content: `v1.KEY.BYTES`. */
const KEY = /^v1\.([A-Za-z0-9_-]{1,64})\./;
const ERASED = 'ErasureCompleted';

/** Returns the IDs of the keys that an erasure has destroyed. */
export const erasedKeys = ({ event: { type, data } }: Pick<Receipt, 'event'>): readonly string[] =>
  type === ERASED && Array.isArray(data.keys)
    ? data.keys.filter((key: Json): key is string => typeof key === 'string')
    : [];

export const sealingKeyOf = (sealed: string): string | undefined => KEY.exec(sealed)?.[1];

/**
 * Returns what is wrong with missing content: in a bundle with content in clear, content is missing only if a receipt in the log
 * says that its key was destroyed, and then all content of that key is missing.
 */
export const checkErasure = ({ manifest, events, receipts }: Bundle): readonly Fault[] => {
  const faults: Fault[] = [];
  const fault = (detail: string): number => faults.push({ step: 'erasure', outcome: 'invalid', detail });
  const erased = new Set(receipts.flatMap(erasedKeys));
  for (const { line, event } of receipts)
    if (event.type !== ERASED) fault(`the receipt in line ${line} is no ${ERASED}`);
  for (const { event, content } of events) {
    if (!content) continue;
    if (content.kind === 'clear') {
      if (manifest.content === 'sealed')
        fault(`event ${event.revision} has content in clear in a sealed bundle`);
      if (erased.has(content.key))
        fault(
          `event ${event.revision} has content, and a receipt says that its key ${content.key} was destroyed`,
        );
      continue;
    }
    const key = sealingKeyOf(content.text);
    if (manifest.content === 'clear' && (key === undefined || !erased.has(key)))
      fault(`event ${event.revision} lacks its content, and no receipt says that it was erased`);
  }
  return faults;
};
