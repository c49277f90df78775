import { WhatIf, type WhatIfOutcome, type WhatIfView } from '@app/application';
import type { ProfileSource } from '@app/domain';
import type { Command } from 'commander';
import { sessionCommand } from '../managing/session-command.js';
import { reasonText } from '../output/plan-view.js';
import { table } from '../output/table.js';
import { profileSource } from '../profile-option.js';

type Options = { readonly profile: readonly ProfileSource[] };

/** `palimpsest what-if SESSION`: what a compaction would do now, under several profiles side by side. */
export const whatIfCommand = (): Command =>
  sessionCommand<Options>(
    'what-if',
    'show what a compaction would do now, profile by profile, and record nothing',
    async ({ ref, options, palimpsest }) => {
      const view = await palimpsest.queries.execute(new WhatIf(ref, options.profile));
      return { json: { session: ref.session, ...view }, text: render(view) };
    },
  ).option(
    '--profile <profile>',
    'this profile, or JSON file of one; may be repeated (default: all)',
    added,
    [],
  );

const added = (given: string, before: readonly ProfileSource[]): readonly ProfileSource[] => [
  ...before,
  profileSource(given),
];

const render = ({ tokens, window, state, inFlight, outcomes }: WhatIfView): string => {
  const planned = outcomes.flatMap((outcome) => (outcome.plan ? [rowOf(outcome, outcome.plan)] : []));
  const refused = outcomes.flatMap((outcome) =>
    outcome.plan ? [] : [`${nameOf(outcome)}: nothing to compact: ${reasonText(outcome.reason)}`],
  );
  return [
    `tokens    ${tokens} of ${window === 0 ? 'an unlimited window' : window}, ${state}`,
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
  'tokens now',
  'at most afterwards',
  'turns verbatim',
  'summarized',
  'split',
  'cut',
];

const rowOf = (outcome: WhatIfOutcome, plan: NonNullable<WhatIfOutcome['plan']>): readonly unknown[] => [
  nameOf(outcome),
  plan.stages.join(', '),
  plan.covered.messages,
  plan.retained,
  plan.droppedOutputs.outputs,
  plan.tokensBefore,
  plan.tokensAfterMax,
  plan.turns.verbatim,
  plan.turns.summarized,
  plan.turns.split,
  plan.cut.messageId,
];

const nameOf = ({ profile, isOwn }: WhatIfOutcome): string => (isOwn ? `${profile} (its own)` : profile);
