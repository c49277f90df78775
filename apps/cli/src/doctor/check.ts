/** What a check found: `fail` prevents the use of the service, `warn` some of it. */
export type CheckResult = {
  readonly check: string;
  readonly status: 'ok' | 'warn' | 'fail';
  /** One sentence: what was found. */
  readonly found: string;
  /** What to do; `null` where nothing is to be done. */
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
