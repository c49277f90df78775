import type { Descent } from '@app/domain';
import { Tokens } from '@app/kernel';

/** Descends to `budget` billed tokens, at most to the results of the newest group. */
export const downTo = (budget: number, more: Partial<Descent> = {}): Descent => ({
  aim: Tokens(budget),
  most: Tokens(budget),
  truncates: false,
  ...more,
});
