/** Outcome of a check: `fail` prevents the use of the service, `warn` the use of a part. */
export type CheckResult = {
  readonly check: string;
  readonly status: 'ok' | 'warn' | 'fail';
  /** The finding, in one sentence. */
  readonly found: string;
  /** The remedy; `null` without one. */
  readonly advice: string | null;
};

export const ok = (check: string, found: string): CheckResult => ({
  check,
  status: 'ok',
  found,
  advice: null,
});
export const warn = (check: string, found: string, advice: string): CheckResult => ({
  ...{ check, status: 'warn' as const, found, advice },
});
export const fail = (check: string, found: string, advice: string): CheckResult => ({
  ...{ check, status: 'fail' as const, found, advice },
});
