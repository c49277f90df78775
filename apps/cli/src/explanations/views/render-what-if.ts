import type { TrialResult, WhatIfOutcome, WhatIfView } from '@app/contract';
import { formatUsd } from '@app/domain';
import { type Column, fittingTable } from '../../output/fitting-table.js';
import { reasonText } from '../../output/plan-view.js';

/** Renders plans side by side with the result of each dry run; dry runs call no model. */
export const whatIfText = ({ tokens, window, state, inFlight, outcomes }: WhatIfView): string => {
  const planned = outcomes.flatMap((outcome) => (outcome.plan ? [outcome] : []));
  const refused = outcomes.flatMap((outcome) =>
    outcome.plan ? [] : [`${nameOf(outcome)}: nothing to compact: ${reasonText(outcome.reason)}`],
  );
  return [
    `billed    ${tokens} tokens of ${window === 0 ? 'an unlimited window' : window}, ${state}`,
    ...(inFlight ? [`under way ${inFlight}: a request now would join it`] : []),
    '',
    ...(planned.length > 0 ? [fittingTable(COLUMNS, planned)] : []),
    ...(planned.length > 0 && refused.length > 0 ? [''] : []),
    ...refused,
  ].join('\n');
};

type Planned = Extract<WhatIfOutcome, { readonly trial: TrialResult }>;

/** Columns by importance; a narrow terminal leaves out the last ones. */
const COLUMNS: readonly Column<Planned>[] = [
  { name: 'profile', of: (outcome) => nameOf(outcome) },
  { name: 'billed now', of: ({ plan }) => plan.billedBefore, isNumber: true },
  { name: 'after a dry run', of: ({ trial }) => trialText(trial), cutTo: 15 },
  { name: 'fidelity', of: ({ trial }) => fidelityText(trial), isNumber: true },
  { name: 'covers', of: ({ plan }) => plan.covered.messages, isNumber: true },
  { name: 'stay', of: ({ plan }) => plan.retained, isNumber: true },
  { name: 'stages', of: ({ plan }) => plan.stages.join(', '), cutTo: 9 },
  { name: 'at most afterwards', of: ({ plan }) => plan.billedAfterMax, isNumber: true },
  { name: 'outputs dropped', of: ({ plan }) => plan.droppedOutputs.outputs, isNumber: true },
  { name: 'directives', of: ({ trial }) => directivesText(trial) },
  { name: 'turns verbatim', of: ({ plan }) => plan.turns.verbatim, isNumber: true },
  { name: 'summarized', of: ({ plan }) => plan.turns.summarized, isNumber: true },
  { name: 'split', of: ({ plan }) => plan.turns.split, isNumber: true },
  { name: 'cut', of: ({ plan }) => plan.cut.messageId, cutTo: 8 },
  { name: 'a request then', of: ({ trial }) => priceText(trial), isNumber: true },
];

/** The price of the input of the next request, without a prompt cache. */
const priceText = (trial: TrialResult): string | null =>
  'refused' in trial || trial.requestNanoUsd === null ? null : formatUsd(trial.requestNanoUsd);

const trialText = (trial: TrialResult): string =>
  'refused' in trial ? `refused: ${trial.refused}` : String(trial.billedAfter);

const fidelityText = (trial: TrialResult): string | null =>
  'refused' in trial || !trial.fidelity ? null : `${Math.round(trial.fidelity.score * 100)} %`;

const directivesText = (trial: TrialResult): string | null => {
  if ('refused' in trial || !trial.fidelity) return null;
  const { kept, of } = trial.fidelity.directives;
  return `${kept} of ${of}`;
};

const nameOf = ({ profile, isOwn }: WhatIfOutcome): string => (isOwn ? `${profile} (its own)` : profile);
