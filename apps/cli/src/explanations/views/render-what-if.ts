import type { TrialResult, WhatIfOutcome, WhatIfView } from '@app/application';
import { reasonText } from '../../output/plan-view.js';
import { table } from '../../output/table.js';

/** Plans side by side, with what each came to when it was tried out without a model. */
export const whatIfText = ({ tokens, window, state, inFlight, outcomes }: WhatIfView): string => {
  const planned = outcomes.flatMap((outcome) => (outcome.plan ? [rowOf(outcome)] : []));
  const refused = outcomes.flatMap((outcome) =>
    outcome.plan ? [] : [`${nameOf(outcome)}: nothing to compact: ${reasonText(outcome.reason)}`],
  );
  return [
    `billed    ${tokens} tokens of ${window === 0 ? 'an unlimited window' : window}, ${state}`,
    ...(inFlight ? [`under way ${inFlight}: a request now would join it`] : []),
    '',
    ...(planned.length > 0 ? [table(COLUMNS, planned)] : []),
    ...(planned.length > 0 && refused.length > 0 ? [''] : []),
    ...refused,
  ].join('\n');
};

const COLUMNS = [
  'profile',
  'stages',
  'covers',
  'stay',
  'outputs dropped',
  'billed now',
  'at most afterwards',
  'after a dry run',
  'fidelity',
  'directives',
  'turns verbatim',
  'summarized',
  'split',
  'cut',
];

type Planned = Extract<WhatIfOutcome, { readonly trial: TrialResult }>;

const rowOf = (outcome: Planned): readonly unknown[] => [
  nameOf(outcome),
  outcome.plan.stages.join(', '),
  outcome.plan.covered.messages,
  outcome.plan.retained,
  outcome.plan.droppedOutputs.outputs,
  outcome.plan.billedBefore,
  outcome.plan.billedAfterMax,
  ...triedText(outcome.trial),
  outcome.plan.turns.verbatim,
  outcome.plan.turns.summarized,
  outcome.plan.turns.split,
  outcome.plan.cut.messageId,
];

const triedText = (trial: TrialResult): readonly unknown[] => {
  if ('refused' in trial) return [`refused: ${trial.refused}`, null, null];
  const { billedAfter, fidelity } = trial;
  if (!fidelity) return [billedAfter, null, null];
  const { score, directives } = fidelity;
  return [billedAfter, `${Math.round(score * 100)} %`, `${directives.kept} of ${directives.of}`];
};

const nameOf = ({ profile, isOwn }: WhatIfOutcome): string => (isOwn ? `${profile} (its own)` : profile);
