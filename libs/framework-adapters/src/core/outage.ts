import { hasCode, PalimpsestError } from '@palimpsest/client';
import type { AdapterOptions } from './options.js';

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

/** Decisions of the service about a request. They are no outage: the agent must not send its own history instead. */
export const isDecision = (error: unknown): boolean => hasCode(error, 'request-refused', 'context-overflow');

/** Statuses and codes of a service that may answer the same request later. */
const PASSING: ReadonlySet<number | string> = new Set([
  ...[408, 425, 429],
  ...['request-in-progress', 'concurrency-conflict', 'revision-mismatch'],
]);

/** Whether the service works and refuses a message, a session or a setting: that lasts until it is changed. */
export const isRefusal = (error: unknown): error is PalimpsestError => {
  if (!(error instanceof PalimpsestError)) return false;
  const { status = 0, code } = error;
  return status >= 400 && status < 500 && !PASSING.has(status) && !PASSING.has(code);
};

export type OutageOptions = {
  readonly failOpen: boolean;
  /** Is called at the start of an outage, and once for each code of a lasting refusal. */
  readonly onProblem: (error: PalimpsestError) => void;
  /** The outages of other sessions of the process: one that begins during another one is not reported. */
  readonly among?: OutageCount;
  readonly now?: () => number;
};
/** The number of outages that last, and the codes of lasting refusals that are reported. */
export type OutageCount = { lasting: number; readonly refused: Set<string> };
export const noOutages = (): OutageCount => ({ lasting: 0, refused: new Set() });

/** Turns failures of the service into its absence: reports each outage once, and does not ask again before a pause is over. */
export class Outage {
  private failures = 0;
  private isRefused = false;
  private until = 0;
  private readonly now: () => number;
  private readonly among: OutageCount;

  constructor(private readonly options: OutageOptions) {
    this.now = options.now ?? Date.now;
    this.among = options.among ?? noOutages();
  }

  /** Milliseconds until the service is asked again; 0 outside an outage. */
  get remainingMs(): number {
    return this.failures === 0 ? 0 : Math.max(0, this.until - this.now());
  }

  /** Whether the last attempt failed. */
  get isLasting(): boolean {
    return this.failures > 0;
  }

  /** Whether a later attempt may succeed without a change of the program or the service's settings. */
  get isPassing(): boolean {
    return !this.isRefused;
  }

  /** Makes the next call ask the service immediately. */
  forgetPause(): void {
    this.until = 0;
  }

  /**
   * Returns the result of `work`, or `undefined` while the service fails.
   *
   * @throws {PalimpsestError} for a decision of the service; for every failure if the adapter does not fail open.
   */
  async during<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    if (this.options.failOpen && this.remainingMs > 0) return undefined;
    try {
      const result = await work();
      this.end();
      return result;
    } catch (error) {
      if (!(error instanceof PalimpsestError) || isDecision(error) || !this.options.failOpen) throw error;
      this.begin(error);
      return undefined;
    }
  }

  private begin(error: PalimpsestError): void {
    this.failures += 1;
    this.until = this.now() + Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (this.failures - 1));
    if (this.failures === 1) this.among.lasting += 1;
    const { lasting, refused } = this.among;
    this.isRefused = isRefusal(error);
    if (this.isRefused) {
      if (!refused.has(error.code)) this.options.onProblem(error);
      refused.add(error.code);
    } else if (this.failures === 1 && lasting === 1) this.options.onProblem(error);
  }

  private end(): void {
    if (this.failures > 0) this.among.lasting -= 1;
    if (this.among.lasting === 0) this.among.refused.clear();
    this.failures = 0;
    this.isRefused = false;
  }
}

/** Returns the outage of one session. */
export const outageOf = (
  { failOpen = true, onProblem = warn }: AdapterOptions,
  among?: OutageCount,
): Outage => new Outage({ failOpen, onProblem, ...(among && { among }) });

/** Prints a warning on standard error. */
const warn = (error: PalimpsestError): void => {
  const { code, detail } = error;
  if (!isRefusal(error)) {
    process.emitWarning(
      `${sentence(detail)} The agent continues on its own history until the service answers.`,
      {
        type: 'PalimpsestWarning',
        code,
      },
    );
    return;
  }
  process.emitWarning(
    `the service refuses the session or the configuration of the adapter: ${sentence(detail)} ` +
      'Until that is changed, nothing of the agent is compacted or recorded: it continues on its own history.',
    {
      type: 'PalimpsestConfigurationWarning',
      ...{ code, detail: `See the page of the error, /errors/${code}, and \`palimpsest doctor\`.` },
    },
  );
};

const sentence = (text: string): string => (text.endsWith('.') ? text : `${text}.`);
