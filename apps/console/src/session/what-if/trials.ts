import type { ProfileSource, WhatIfOutcome } from '@app/client';
import { changeOf, count, dollarsIfKnown, fidelity } from '../../parts/text.js';
import { SKIPS } from '../compactions/skips.js';

/** The trial of a policy on the session as it is now. */
export type Trial = {
  readonly name: string;
  /** The policy; `undefined` for the session’s own. */
  readonly source: ProfileSource | undefined;
  readonly outcome: WhatIfOutcome;
  /** Billed tokens of the next request before. */
  readonly now: number;
};

type Tried = Extract<WhatIfOutcome, { readonly trial: unknown }>;
type Result = Exclude<Tried['trial'], { readonly refused: string }>;
type Measure = {
  readonly title: string;
  readonly of: (result: Result, plan: Tried['plan'], now: number) => string;
};

const MEASURES: readonly Measure[] = [
  { title: 'Billed tokens after', of: ({ billedAfter }) => count(billedAfter) },
  {
    title: 'Change',
    of: ({ billedAfter }, _, now) => (now === 0 ? '–' : changeOf(now, billedAfter)),
  },
  { title: 'Cost of a request’s input', of: ({ requestNanoUsd }) => dollarsIfKnown(requestNanoUsd) },
  { title: 'Cost of the summary, at most', of: ({ summaryNanoUsd }) => dollarsIfKnown(summaryNanoUsd) },
  { title: 'Summary, counted tokens', of: ({ summaryTokens }) => count(summaryTokens) },
  { title: 'Messages covered', of: (_, { covered }) => count(covered.messages) },
  { title: 'Tool outputs dropped', of: (_, { droppedOutputs }) => count(droppedOutputs.outputs) },
  { title: 'Fidelity, 0 to 1', of: (result) => (result.fidelity ? fidelity(result.fidelity.score) : '–') },
  {
    title: 'Directives kept',
    of: (result) =>
      result.fidelity ? `${result.fidelity.directives.kept} of ${result.fidelity.directives.of}` : '–',
  },
];

/** Columns of the table of trials, rows of a comparison: a title, and the text for a trial. */
export const measures: readonly { readonly title: string; readonly text: (trial: Trial) => string }[] =
  MEASURES.map(({ title, of }) => ({
    title,
    text: ({ outcome, now }) =>
      outcome.plan === null || 'refused' in outcome.trial ? '–' : of(outcome.trial, outcome.plan, now),
  }));

/** Whether a policy would compact the session now. */
export const isResult = ({ outcome: { plan } }: Trial): boolean => plan !== null;

/** Returns the stages of a trial, or why it compacts nothing. */
export const stagesOf = ({ outcome }: Trial): string => {
  if (outcome.plan === null) return `compacts nothing: ${SKIPS[outcome.reason.rule]}`;
  return 'refused' in outcome.trial ? `refused: ${outcome.trial.refused}` : outcome.plan.stages.join(', ');
};
