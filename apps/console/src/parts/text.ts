const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

/** Returns a number with thousands separators. */
export const count = (value: number): string => whole.format(value);

/** Returns a number with thousands separators, and nothing for an unknown one. */
export const countIfKnown = (value: number | null): string => (value === null ? '' : count(value));

/** Returns a number and its noun. */
export const counted = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;

/** Returns tokens in thousands or millions for axes, such as `2.5k`. */
export const thousands = (tokens: number): string =>
  tokens < 1_000
    ? String(tokens)
    : tokens < 1_000_000
      ? `${Number((tokens / 1_000).toFixed(tokens < 10_000 ? 1 : 0))}k`
      : `${Number((tokens / 1_000_000).toFixed(2))}M`;

/** Returns a share as a percentage. */
export const percent = (share: number): string => `${Math.round(share * 100)} %`;

/** Returns how much `after` is above or below `before`, which is more than 0, as a percentage with its sign. */
export const changeOf = (before: number, after: number): string => {
  const percents = Math.round((after / before - 1) * 100);
  return `${percents > 0 ? '+' : percents < 0 ? '−' : ''}${count(Math.abs(percents))} %`;
};

/** Returns a fidelity, from 0 to 1, with two digits; never 1.00 for less than all. */
export const fidelity = (share: number): string => (share < 1 && share > 0.995 ? '0.99' : share.toFixed(2));

/** Returns billionths of a US dollar as dollars. */
export const dollars = (nanoUsd: number): string => {
  const value = nanoUsd / 1e9;
  return `$${value === 0 || value >= 0.01 ? value.toFixed(2) : value.toPrecision(2)}`;
};

/** Returns billionths of a US dollar as dollars, and a dash without a price. */
export const dollarsIfKnown = (nanoUsd: number | null): string => (nanoUsd === null ? '–' : dollars(nanoUsd));

export const duration = (ms: number): string => {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  if (ms < 7_200_000) return `${Math.round(ms / 60_000)} min`;
  return ms < 172_800_000 ? `${Math.round(ms / 3_600_000)} h` : `${Math.round(ms / 86_400_000)} days`;
};

const SPANS = [
  [86_400_000 * 365, 'year'],
  [86_400_000 * 30, 'month'],
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
] as const;
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** Returns how long ago a time was. */
export const ago = (at: string, now = Date.now()): string => {
  const passed = now - Date.parse(at);
  const span = SPANS.find(([ms]) => Math.abs(passed) >= ms);
  return span ? relative.format(-Math.round(passed / span[0]), span[1]) : 'just now';
};

/** Returns a time to the second in the reader's zone. */
export const timeText = (at: string): string =>
  new Date(at).toLocaleString('sv-SE', { hour12: false }).replace(',', '');

/** Returns `CompactionCompleted` as `Compaction completed`. */
export const spaced = (name: string): string => {
  const words = name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};
