import type { Manifest } from '../bundle/bundle.js';

/** Steps of a verification, in order. */
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
  /** The check, or the reason for its absence. */
  readonly detail: string;
};

/** The newest verified head of a log, and the keys that sign for it, to remember. */
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
  /** Witnesses of the policy that have not. */
  readonly missingWitnesses: readonly string[];
  /** Whether the cosigning witnesses reach the quorum of the policy; `none` if it demands none. */
  readonly quorum: 'none' | 'met' | 'not-met';
  /** Whether the log's key was known from a policy or an earlier verification, or is taken from the file itself. */
  readonly trust: 'policy' | 'remembered' | 'file';
};

/** Says which witnesses have cosigned, which have not, and whether the policy is content with them. */
export const witnessText = ({
  witnesses,
  missingWitnesses: missing,
  quorum,
}: Pick<Report, 'witnesses' | 'missingWitnesses' | 'quorum'>): string => {
  const all = witnesses.length + missing.length;
  if (all === 0) return 'no witness is named by the policy: the log could show others another tree';
  const verdict = {
    none: 'the policy demands none',
    met: 'they are the quorum of the policy',
    'not-met': 'they are not the quorum of the policy',
  }[quorum];
  return [
    `cosigned by ${witnesses.length} of ${all} ${all === 1 ? 'witness' : 'witnesses'}${witnesses.length > 0 ? ` (${witnesses.join(', ')})` : ''}`,
    ...(missing.length > 0 ? [`missing: ${missing.join(', ')}`] : []),
    verdict,
  ].join('; ');
};

/** Returns the worst of the outcomes. */
export const worstOf = (faults: readonly Pick<Fault, 'outcome'>[]): Outcome =>
  OUTCOMES.find((outcome) => faults.some((fault) => fault.outcome === outcome)) ?? 'valid';
