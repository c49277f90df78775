import type { Descent } from '@app/domain';
import { Tokens } from '@app/kernel';

/** Down to `budget` billed tokens, and no deeper than the results of the newest group. */
export const downTo = (budget: number, more: Partial<Descent> = {}): Descent => ({
  aim: Tokens(budget),
  most: Tokens(budget),
  truncates: false,
  ...more,
});
