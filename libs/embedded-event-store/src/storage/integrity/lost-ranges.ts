import { isJsonObject, parseJsonObject } from '@app/kernel';

/** Positions from the first, inclusive, to the second, exclusive, whose events are lost. */
export type LostRange = { readonly from: number; readonly to: number };

/** In the table `about`: what `--accept-loss` has given up. */
export const LOST_KEY = Buffer.from('lost');

export type Loss = {
  readonly acceptedAt: string;
  /** What was wrong, in words. */
  readonly reasons: readonly string[];
  readonly ranges: readonly LostRange[];
  /** Entries of other kinds than events that could not be read: users, groups, projections. */
  readonly otherEntries: number;
  /** Where the damaged files lie now. */
  readonly damagedFiles: string;
  /** Whether the event that tells of it is in the log. */
  readonly isRecorded: boolean;
};

export const encodeLosses = (losses: readonly Loss[]): Buffer => Buffer.from(JSON.stringify({ losses }));

/** The oldest first. */
export const decodeLosses = (bytes: Buffer | undefined): readonly Loss[] => {
  const stored = bytes && parseJsonObject(bytes.toString('utf8'));
  const losses: unknown = stored?.losses;
  return Array.isArray(losses) ? losses.filter(isLoss) : [];
};

/** Whether all positions from `from` to `to`, exclusive, are known to be lost. */
export const covers = (losses: readonly Loss[], from: number, to: number): boolean =>
  losses.some(({ ranges }) => ranges.some((range) => range.from <= from && to <= range.to));

/** The first position that neither an event nor a loss has reached; 0 without losses. */
export const endOfLosses = (losses: readonly Loss[]): number =>
  losses.flatMap(({ ranges }) => ranges).reduce((end, { to }) => Math.max(end, to), 0);

const isLoss = (value: unknown): value is Loss =>
  isJsonObject(value) &&
  Array.isArray(value.ranges) &&
  value.ranges.every(
    (range) => isJsonObject(range) && typeof range.from === 'number' && typeof range.to === 'number',
  ) &&
  typeof value.acceptedAt === 'string';
