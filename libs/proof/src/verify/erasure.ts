import { isJsonObject, type Json, type JsonObject } from '@app/kernel';
import type { Bundle, Receipt } from '../bundle/bundle.js';
import type { SealedEvent } from '../leaf.js';
import type { Fault } from './report.js';

/** The keys in sealed content: `v1.KEY~KEY.BYTES`. */
const KEYS = /^v1\.([A-Za-z0-9_~-]{1,4096})\./;
const BETWEEN = '~';
const ERASED = 'ErasureCompleted';

/**
 * Keys that erasures have destroyed: those with these IDs, and `all` that there were where a whole tenant was erased, the last time
 * at `until` (milliseconds since 1970; `-Infinity` for never, or without a time).
 */
export type Destroyed = {
  readonly keys: ReadonlySet<string>;
  readonly all: boolean;
  readonly until: number;
};

/** An erasure ends behind all appends under its keys, by clocks of processes that differ by less than this. */
const CLOCK_TOLERANCE_MS = 10 * 60 * 1_000;

/** Returns the keys that the receipts say were destroyed. */
export const destroyedIn = (receipts: readonly Pick<Receipt, 'event'>[]): Destroyed => {
  const erasures = receipts.filter(({ event }) => event.type === ERASED);
  const isOfTenant = ({ target }: JsonObject): boolean => isJsonObject(target) && target.scope === 'tenant';
  const ofTenant = erasures.filter(({ event }) => isOfTenant(event.data));
  return {
    keys: new Set(
      erasures
        .flatMap(
          ({
            event: {
              data: { keys },
            },
          }): readonly Json[] => (Array.isArray(keys) ? keys : []),
        )
        .filter((key) => typeof key === 'string'),
    ),
    all: ofTenant.length > 0,
    until: Math.max(...ofTenant.map(({ event }) => recordedTime(event) ?? -Infinity)),
  };
};

/** Returns when an event was recorded, in milliseconds since 1970; `undefined` without a time in the form of the log. */
const recordedTime = ({ metadata: { recordedAt } }: Pick<SealedEvent, 'metadata'>): number | undefined => {
  if (typeof recordedAt !== 'string' || !TIME.test(recordedAt)) return undefined;
  const time = Date.parse(recordedAt);
  // Else 31 February would be a day of March.
  return !Number.isNaN(time) && new Date(time).toISOString() === recordedAt ? time : undefined;
};
const TIME = /^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Returns the IDs of the keys that sealed content needs, with `~` between them; `undefined` for another form. */
export const sealingKeysOf = (sealed: string): string | undefined => KEYS.exec(sealed)?.[1];

/** Whether one of the keys was destroyed by its ID: content needs all of its keys. */
const isNamed = (keys: string, { keys: named }: Destroyed): boolean =>
  keys.split(BETWEEN).some((key) => named.has(key));

/** Whether receipts explain that content with these keys is gone. */
export const isErased = (keys: string, destroyed: Destroyed): boolean =>
  destroyed.all || isNamed(keys, destroyed);

/** Whether every key still exists, as content in clear has shown. */
const isAlive = (keys: string, alive: ReadonlySet<string>): boolean =>
  keys.split(BETWEEN).every((key) => alive.has(key));

/**
 * Returns the faults of missing content: in a bundle with content in clear, content is missing only if a receipt in the log
 * says that its key was destroyed, and then all content of that key is missing. The receipt for a whole tenant names no keys:
 * newer content, under newer keys, may be there, and content that was recorded after it is explained by its own receipt alone.
 */
export const checkErasure = ({ manifest, events, receipts }: Bundle): readonly Fault[] => {
  const faults: Fault[] = [];
  const fault = (detail: string): number => faults.push({ step: 'erasure', outcome: 'invalid', detail });
  const erased = destroyedIn(receipts);
  const lastOfAll = erased.until + CLOCK_TOLERANCE_MS;
  const alive = new Set(
    events.flatMap(({ contents }) =>
      contents.flatMap((content) => (content.kind === 'clear' ? content.key.split(BETWEEN) : [])),
    ),
  );
  for (const { line, event, stream } of receipts)
    if (event.type !== ERASED || stream !== `erasures-${manifest.tenant}`)
      fault(`the receipt in line ${line} is no ${ERASED} of the tenant`);
  for (const { event, contents } of events)
    for (const content of contents) {
      const keys = content.kind === 'clear' ? content.key : sealingKeysOf(content.text);
      const isGone =
        keys !== undefined &&
        (isNamed(keys, erased) || ((recordedTime(event) ?? Infinity) <= lastOfAll && !isAlive(keys, alive)));
      if (content.kind === 'clear' && manifest.content === 'sealed')
        fault(`event ${event.revision} has content in clear in a sealed bundle`);
      if (content.kind === 'clear' && isGone)
        fault(`event ${event.revision} has content, and a receipt says that its key was destroyed`);
      if (content.kind === 'sealed' && manifest.content === 'clear' && !isGone)
        fault(`event ${event.revision} lacks content, and no receipt says that it was erased`);
    }
  return faults;
};
