import { isJsonObject, parseJsonObject } from '@app/kernel';

/** A range of positions whose events are lost, from inclusive to exclusive. */
export type LostRange = { readonly from: number; readonly to: number };

/** Key in the table `about` of the losses that `--accept-loss` accepted. */
export const LOST_KEY = Buffer.from('lost');

export type Loss = {
  readonly acceptedAt: string;
  /** Descriptions of the damage. */
  readonly reasons: readonly string[];
  readonly ranges: readonly LostRange[];
  /** Number of unreadable entries other than events: users, groups, projections. */
  readonly otherEntries: number;
  /** The folder that the damaged files were moved to. */
  readonly damagedFiles: string;
  /** Whether the log contains the event about this loss. */
  readonly isRecorded: boolean;
};

export const encodeLosses = (losses: readonly Loss[]): Buffer => Buffer.from(JSON.stringify({ losses }));

/** Oldest first. */
export const decodeLosses = (bytes: Buffer | undefined): readonly Loss[] => {
  const stored = bytes && parseJsonObject(bytes.toString('utf8'));
  const losses: unknown = stored?.losses;
  return Array.isArray(losses) ? losses.filter(isLoss) : [];
};

/** Whether all positions from `from` to `to`, exclusive, are recorded as lost. */
export const covers = (losses: readonly Loss[], from: number, to: number): boolean =>
  losses.some(({ ranges }) => ranges.some((range) => range.from <= from && to <= range.to));

/** Returns the first position after all losses; 0 without losses. */
export const endOfLosses = (losses: readonly Loss[]): number =>
  losses.flatMap(({ ranges }) => ranges).reduce((end, { to }) => Math.max(end, to), 0);

const isLoss = (value: unknown): value is Loss =>
  isJsonObject(value) &&
  Array.isArray(value.ranges) &&
  value.ranges.every(
    (range) => isJsonObject(range) && typeof range.from === 'number' && typeof range.to === 'number',
  ) &&
  typeof value.acceptedAt === 'string';
