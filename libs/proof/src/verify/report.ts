import type { Manifest } from '../bundle/bundle.js';

/** What is verified, in this order. */
export const STEPS = [
  'leaves',
  'inclusion',
  'consistency',
  'signatures',
  'completeness',
  'erasure',
  'replay',
] as const;
export type Step = (typeof STEPS)[number];

/** From the worst to the best; a bundle has the worst of its faults. */
const OUTCOMES = ['malformed', 'invalid', 'unknown-key', 'incomplete', 'valid'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Exit codes of `palimpsest verify`. */
export const EXIT_CODES: Readonly<Record<Outcome, number>> = {
  valid: 0,
  invalid: 1,
  incomplete: 2,
  'unknown-key': 3,
  malformed: 4,
};

export type Fault = {
  readonly step: Step;
  readonly outcome: Exclude<Outcome, 'valid'>;
  /** One sentence without content. */
  readonly detail: string;
};

export type StepReport = {
  readonly step: Step;
  readonly status: 'passed' | 'failed' | 'not-checked';
  /** What was checked, or why it was not. */
  readonly detail: string;
};

/** The newest verified head of a log, and the keys that sign for it: what is remembered. */
export type VerifiedHead = {
  readonly origin: string;
  readonly size: number;
  /** Base64. */
  readonly root: string;
  /** vkeys. */
  readonly keys: readonly string[];
};

export type Report = {
  readonly outcome: Outcome;
  readonly steps: readonly StepReport[];
  readonly faults: readonly Fault[];
  /** `undefined` for a malformed file. */
  readonly manifest?: Manifest;
  /** Set if the outcome is `valid`. */
  readonly head?: VerifiedHead;
  /** Witnesses of the policy that have cosigned. */
  readonly witnesses: readonly string[];
  /** Whether the log's key was known from a policy or an earlier verification, or is taken from the file itself. */
  readonly trust: 'policy' | 'remembered' | 'file';
};

/** Returns the worst of the outcomes. */
export const worstOf = (faults: readonly Pick<Fault, 'outcome'>[]): Outcome =>
  OUTCOMES.find((outcome) => faults.some((fault) => fault.outcome === outcome)) ?? 'valid';
