import type { IsoTime } from '@app/kernel';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** From this age on, a day of the calendar says more than a count of days. */
const DAYS_MAX = 30;

/** Returns the age of `time` at `now`, such as `now`, `5 min`, `3 h` or `12 d`; the day in UTC where it is older than 30 days. */
export const ageText = (time: IsoTime, now: Date): string => {
  const age = now.getTime() - Date.parse(time);
  if (age < MINUTE_MS) return 'now';
  if (age < HOUR_MS) return `${Math.floor(age / MINUTE_MS)} min`;
  if (age < DAY_MS) return `${Math.floor(age / HOUR_MS)} h`;
  return age < DAYS_MAX * DAY_MS ? `${Math.floor(age / DAY_MS)} d` : time.slice(0, 10);
};
