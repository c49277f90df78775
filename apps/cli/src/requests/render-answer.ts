import type { ComposeAnswer } from '@app/application';
import type { BudgetBanner } from '@app/contract';
import { historyIn, largestText, type RemedyMeans, remedyTexts } from '@app/domain';
import { countText } from '../output/value-text.js';

type Composed = Extract<ComposeAnswer, { readonly outcome: 'composed' }>;
type Refused = Extract<ComposeAnswer, { readonly outcome: 'refused' }>;

/** Renders a composed request with its recorded figures. */
export const composedText = (session: string, composed: Composed): string => {
  const {
    revision,
    format,
    occupancy,
    window,
    state,
    request,
    digest,
    contributions = [],
    ladder,
  } = composed;
  return [
    `session   ${session}, revision ${revision}`,
    `request   ${composed.requestId}: ${format}, ${historyIn(request).length} ${'input' in request ? 'items' : 'messages'}`,
    `billed    ${occupancy}${window === 0 ? ' tokens of an unlimited window' : ` of ${window} tokens${shareOf(occupancy, window)}`}, ${state}`,
    ...(composed.maxOutput === undefined ? [] : [`answer    ${composed.maxOutput} tokens at most`]),
    ...contributions.map((one) => `context   ${one.name}, ${one.tokens} counted tokens`),
    ...(composed.failedProviders ?? []).map((name) => `context   ${name} failed, and is left out`),
    ...(ladder ? [`ladder    ${ladderText(ladder)}`] : []),
    `sha256    ${digest}`,
    '',
    '`--json` prints the exact body.',
  ].join('\n');
};

const ladderText = ({
  rung,
  masked,
  droppedGroups,
  truncated,
  tokens,
}: NonNullable<Composed['ladder']>): string =>
  [
    `${rung}: ${tokens} billed tokens go out, without ${countText(masked, 'tool output')} and ${countText(droppedGroups, 'group')} of messages`,
    ...truncated.map(
      (one) =>
        `message ${one.messageId} shortened from ${one.countedBefore} to ${one.countedAfter} counted tokens`,
    ),
  ].join('; ');

/** Renders the notes of the banner, one per line. */
export const bannerText = (
  session: string,
  { state, occupancy, window, remedies, ladder, duplicateCompaction }: Omit<BudgetBanner, 'threshold'>,
): string =>
  [
    ...(state === 'normal'
      ? []
      : [
          `${state}: session ${session} fills ${occupancy} of ${window} billed tokens${shareOf(occupancy, window)}: ` +
            remedyTexts(remedies, meansFor(session)),
        ]),
    ...(ladder
      ? [
          `ladder: ${ladder.requests === 1 ? 'the last request' : `the last ${ladder.requests} requests`} of session ${session} went out shortened (${ladder.rung})`,
        ]
      : []),
    ...(duplicateCompaction
      ? [
          `double compaction: the provider compacts session ${session} as well; ` +
            'switch off its context management, or set mode to authorized',
        ]
      : []),
  ].join('\n');

/** Renders a refusal with all remedies. */
export const refusalText = (session: string, refused: Refused): string => {
  const { reason, occupancy, threshold, window, remedies, largest } = refused;
  return (
    `no request goes out: session "${session}" fills ${occupancy} of ${window} billed tokens${shareOf(occupancy, window)}, ` +
    `${threshold} is the limit (${reason}); ${largest ? `${largestText(largest)}; ` : ''}` +
    remedyTexts(remedies, meansFor(session))
  );
};

/** Returns the command that carries out each remedy. */
const meansFor = (session: string): RemedyMeans => ({
  wait: 'wait for the compaction under way',
  compact: `\`palimpsest compact ${session}\``,
  reset: `\`palimpsest reset ${session} --confirm\``,
  'reduce-context': 'send less with --context',
  override: `\`palimpsest compose ${session} --override --reason TEXT\` for this turn`,
  shorten: `\`palimpsest compose ${session} --ladder on\``,
  'truncate-message': `\`palimpsest compose ${session} --ladder truncate\``,
  'use-larger-model': `\`palimpsest settings ${session} --model MODEL\``,
});

const shareOf = (tokens: number, window: number): string => ` (${Math.floor((tokens / window) * 100)} %)`;
