import { type Cost, formatUsd } from '@app/domain';

/** What it came to, and what of it has no price and why. */
export const costText = ({ nanoUsd, unpriced = [] }: Cost): string =>
  [
    ...(nanoUsd === undefined ? [] : [formatUsd(nanoUsd)]),
    ...unpriced.map(({ model, reason, tokens }) => `${tokens} tokens of ${model} have no price (${reason})`),
  ].join('; ');
