import type { BudgetBanner, ComposeAnswer } from '@app/application';
import { historyIn, type WayOut } from '@app/domain';

type Composed = Omit<Extract<ComposeAnswer, { readonly outcome: 'composed' }>, 'body'>;
type Refused = Extract<ComposeAnswer, { readonly outcome: 'refused' }>;

/** A composed request for a person: what was recorded of it. */
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
    ...contributions.map((one) => `context   ${one.name}, ${one.tokens} counted tokens`),
    ...(composed.failedProviders ?? []).map((name) => `context   ${name} failed, and is left out`),
    ...(ladder ? [`ladder    ${ladderText(ladder)}`] : []),
    `sha256    ${digest}`,
    '',
    '`--json` prints the exact body.',
  ].join('\n');
};

const ladderText = ({ rung, masked, droppedGroups, tokens }: NonNullable<Composed['ladder']>): string =>
  `${rung}: ${tokens} billed tokens go out, without ${masked} tool outputs and ${droppedGroups} groups of messages`;

/** What whoever watches the session should know. */
export const bannerText = (
  session: string,
  { state, occupancy, window }: Omit<BudgetBanner, 'threshold'>,
): string =>
  `${state}: session ${session} fills ${occupancy} of ${window} billed tokens${shareOf(occupancy, window)}: ` +
  `\`palimpsest compact ${session}\` makes room`;

/** Why no request goes out, and every way on. */
export const refusalText = (session: string, refused: Refused): string => {
  const { reason, occupancy, threshold, window, waysOut } = refused;
  const ways = waysOut.map((way) => wayText(way, session)).join(', or ');
  return (
    `no request goes out: session "${session}" fills ${occupancy} of ${window} billed tokens${shareOf(occupancy, window)}, ` +
    `${threshold} is the limit (${reason}): ${ways}`
  );
};

const wayText = (way: WayOut, session: string): string => {
  switch (way) {
    case 'wait':
      return 'wait for the compaction under way';
    case 'compact':
      return `\`palimpsest compact ${session}\``;
    case 'reset':
      return `\`palimpsest reset ${session} --confirm\``;
    case 'less-context':
      return 'send less with --context';
    case 'override':
      return `\`palimpsest compose ${session} --override --reason TEXT\` for this turn`;
  }
};

const shareOf = (tokens: number, window: number): string => ` (${Math.floor((tokens / window) * 100)} %)`;
