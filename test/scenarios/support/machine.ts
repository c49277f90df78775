import { jest } from '@jest/globals';

/** Properties of a computer that must not affect the engine's results. */
export type Machine = {
  readonly worker: string;
  readonly now: string;
  readonly environment: Readonly<Record<'TZ' | 'LANG' | 'LC_ALL', string>>;
  /** The order of words in its locale. */
  readonly collation: 'by-code' | 'reversed';
};
export const HERE: Machine = {
  worker: 'here',
  now: '2026-01-15T12:00:00Z',
  environment: { TZ: 'UTC', LANG: 'C', LC_ALL: 'C' },
  collation: 'by-code',
};
export const THERE: Machine = {
  worker: 'there',
  now: '2031-07-01T23:30:00Z',
  environment: { TZ: 'Pacific/Chatham', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' },
  collation: 'reversed',
};

const ALL_BUT_DATE = [
  ...(['hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'clearImmediate'] as const),
  ...(['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] as const),
];
const byCode = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

/** Runs `work` as on that machine: with its clock, time zone and language. */
export const on = async <Result>(machine: Machine, work: () => Promise<Result>): Promise<Result> => {
  const { now, environment, collation } = machine;
  const before = { ...process.env };
  Object.assign(process.env, environment);
  jest.useFakeTimers({ now: new Date(now), doNotFake: [...ALL_BUT_DATE] });
  const collate = jest.spyOn(String.prototype, 'localeCompare').mockImplementation(function (
    this: string,
    other: string,
  ) {
    return collation === 'by-code' ? byCode(String(this), other) : byCode(other, String(this));
  });
  try {
    return await work();
  } finally {
    collate.mockRestore();
    jest.useRealTimers();
    process.env = before;
  }
};
