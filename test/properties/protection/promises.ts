import type { RetentionMode } from '@app/domain';

export const DAY_MS = 86_400_000;

type Period = {
  readonly mode: RetentionMode;
  readonly until: number;
  /** Minimum days of the period after the newest message. */
  readonly days: number | undefined;
};

/** Promises about one session, and the subjects of its content. */
export class Promises {
  period: Period | undefined;
  newestAt = 0;
  readonly holds = new Set<string>();
  readonly subjects = new Set<string>();

  /** Until when the period in force keeps the session; `undefined` without one. */
  keptUntil(now: number): number | undefined {
    if (!this.period) return undefined;
    const { until, days } = this.period;
    const end = days === undefined ? until : Math.max(until, this.newestAt + days * DAY_MS);
    return end > now ? end : undefined;
  }

  /** The date of now is on record: a clock that is set back makes it no earlier. */
  record(now: number): void {
    const until = this.keptUntil(now);
    if (this.period && until !== undefined) this.period = { ...this.period, until };
  }

  isProtected(now: number): boolean {
    return this.holds.size > 0 || this.keptUntil(now) !== undefined;
  }

  /** Whether a caller may set this period: only a longer one, unless `governance` and a reason and the permission allow it. */
  mayKeep(mode: RetentionMode, until: number, mayShorten: boolean, now: number): boolean {
    if (!this.isShortenedBy(mode, until, now)) return true;
    return this.period?.mode === 'governance' && mayShorten;
  }

  keep(mode: RetentionMode, until: number, now: number): void {
    const isBound = this.keptUntil(now) !== undefined && !this.isShortenedBy(mode, until, now);
    this.period = { mode, until, days: isBound ? this.period?.days : undefined };
  }

  private isShortenedBy(mode: RetentionMode, until: number, now: number): boolean {
    const end = this.keptUntil(now);
    if (end === undefined) return false;
    return until < end || (this.period?.mode === 'compliance' && mode === 'governance');
  }
}
