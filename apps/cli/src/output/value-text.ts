import { type Cost, formatUsd } from '@app/domain';
import type { IsoTime } from '@app/kernel';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Days after which a date is shown instead of an age. */
const DAYS_MAX = 30;

/** Returns the age of `time` at `now`, such as `now`, `5 min`, `3 h` or `12 d`; the UTC date after 30 days. */
export const ageText = (time: IsoTime, now: Date): string => {
  const age = now.getTime() - Date.parse(time);
  if (age < MINUTE_MS) return 'now';
  if (age < HOUR_MS) return `${Math.floor(age / MINUTE_MS)} min`;
  if (age < DAY_MS) return `${Math.floor(age / HOUR_MS)} h`;
  return age < DAYS_MAX * DAY_MS ? `${Math.floor(age / DAY_MS)} d` : time.slice(0, 10);
};

/** Returns `time` in UTC to the second, such as `2026-11-23T09:30:00Z`; JSON has the milliseconds. */
export const timeText = (time: IsoTime): string => `${new Date(time).toISOString().slice(0, 19)}Z`;

/** Returns a count with its noun, such as `1 row` or `20 rows`. */
export const countText = (count: number, singular: string, plural = `${singular}s`): string =>
  `${count} ${count === 1 ? singular : plural}`;

/** Returns labels on one line, sorted by name; a dash if there are none. */
export const labelsText = (labels: Readonly<Record<string, string>>): string => {
  const all = Object.entries(labels)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`);
  return all.length === 0 ? '–' : all.join(', ');
};

/** Returns a cost in US dollars, followed by the billed tokens without a price and the reason. */
export const costText = ({ nanoUsd, unpriced = [] }: Cost): string =>
  [
    ...(nanoUsd === undefined ? [] : [formatUsd(nanoUsd)]),
    ...unpriced.map(
      ({ model, reason, tokens }) =>
        `${countText(tokens, 'token')} of ${model} ${tokens === 1 ? 'has' : 'have'} no price (${reason})`,
    ),
  ].join('; ');
