import { isJsonObject, type Json } from '@app/kernel';
import type { Bundle, Receipt } from '../bundle/bundle.js';
import type { Fault } from './report.js';

/** The keys in sealed content: `v1.KEY~KEY.BYTES`. */
const KEYS = /^v1\.([A-Za-z0-9_~-]{1,4096})\./;
const BETWEEN = '~';
const ERASED = 'ErasureCompleted';

/** Returns the IDs of the keys that an erasure has destroyed, or `all` for that of a whole tenant. */
export const erasedKeys = ({ event: { type, data } }: Pick<Receipt, 'event'>): readonly string[] | 'all' => {
  if (type !== ERASED) return [];
  if (isJsonObject(data.target) && data.target.scope === 'tenant') return 'all';
  return Array.isArray(data.keys)
    ? data.keys.filter((key: Json): key is string => typeof key === 'string')
    : [];
};

/** Returns the IDs of the keys that sealed content needs, with `~` between them; `undefined` for another form. */
export const sealingKeysOf = (sealed: string): string | undefined => KEYS.exec(sealed)?.[1];

/** Whether one of the keys was destroyed: content needs all of its keys. */
export const isErased = (keys: string, erased: ReadonlySet<string> | 'all'): boolean =>
  erased === 'all' || keys.split(BETWEEN).some((key) => erased.has(key));

/** Returns the keys that the receipts say were destroyed. */
export const destroyedIn = (receipts: Bundle['receipts']): ReadonlySet<string> | 'all' => {
  const keys = new Set<string>();
  for (const receipt of receipts) {
    const own = erasedKeys(receipt);
    if (own === 'all') return 'all';
    for (const key of own) keys.add(key);
  }
  return keys;
};

/**
 * Returns what is wrong with missing content: in a bundle with content in clear, content is missing only if a receipt in the log
 * says that its key was destroyed, and then all content of that key is missing.
 */
export const checkErasure = ({ manifest, events, receipts }: Bundle): readonly Fault[] => {
  const faults: Fault[] = [];
  const fault = (detail: string): number => faults.push({ step: 'erasure', outcome: 'invalid', detail });
  const erased = destroyedIn(receipts);
  for (const { line, event } of receipts)
    if (event.type !== ERASED) fault(`the receipt in line ${line} is no ${ERASED}`);
  for (const { event, contents } of events)
    for (const content of contents) {
      const keys = content.kind === 'clear' ? content.key : sealingKeysOf(content.text);
      const isGone = keys !== undefined && isErased(keys, erased);
      if (content.kind === 'clear' && manifest.content === 'sealed')
        fault(`event ${event.revision} has content in clear in a sealed bundle`);
      if (content.kind === 'clear' && isGone)
        fault(`event ${event.revision} has content, and a receipt says that its key was destroyed`);
      if (content.kind === 'sealed' && manifest.content === 'clear' && !isGone)
        fault(`event ${event.revision} lacks content, and no receipt says that it was erased`);
    }
  return faults;
};
