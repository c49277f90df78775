import type { WhyNow } from '@app/contract';

const TRIGGERS: Readonly<Record<WhyNow['trigger'], string>> = {
  threshold: 'the threshold was reached',
  explicit: 'a caller requested it',
  overflow: 'the provider refused the request as too long',
  'requested-mid-turn': 'it was asked for during a turn, and waited for its end',
  idle: 'the session was idle',
  'model-switched': 'the model was switched',
  policy: 'a policy called for it',
  imported: 'the agent of the imported session made it',
};

const UNTIL: Readonly<Record<WhyNow['deferred'][number]['until'], string>> = {
  'turn-end': 'the end of the turn',
  released: 'it is released',
};

/** Explains the trigger of a compaction and its time. */
export const whyText = (why: WhyNow): readonly string[] => {
  const { trigger, actor, turn, occupancy, window, thresholds, profile, mode, withInstructions } = why;
  const share = window === 0 ? '' : ` (${Math.round((occupancy / window) * 100)} %)`;
  return [
    `why now   ${TRIGGERS[trigger]} [${trigger}], in turn ${turn}, recorded by ${actor} at revision ${why.revision}`,
    ...(why.count ? [countText(why.count)] : []),
    ...why.deferred.map(deferredText),
    `occupancy ${occupancy} billed tokens of ${window === 0 ? 'an unlimited window' : window}${share}`,
    ...(thresholds
      ? [
          `threshold warning from ${thresholds.warning}, trigger from ${thresholds.trigger}, ` +
            `critical from ${thresholds.critical}, blocking from ${thresholds.blocking}`,
        ]
      : []),
    `policy    profile ${profile}, ${mode}${withInstructions ? ', with instructions for the summary' : ''}`,
  ];
};

const COUNTED: Readonly<Record<NonNullable<WhyNow['count']>['by'], string>> = {
  messages: 'messages',
  turns: 'turns',
  'tool-calls': 'tool calls',
  minutes: 'minutes',
};
const countText = ({ by, reached, at }: NonNullable<WhyNow['count']>): string =>
  `reached   ${reached} ${COUNTED[by]} since the last compaction, of ${at} that ask for one`;

const deferredText = ({ trigger, until, by, reason, revision, at }: WhyNow['deferred'][number]): string =>
  `deferred  until ${UNTIL[until]}, on the word of ${by}: ${reason} [${trigger}], at revision ${revision}, ${at}`;
