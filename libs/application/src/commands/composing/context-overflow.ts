import type { ContextOverflow } from '@app/domain';
import { AppError } from '@app/kernel';

/** The refusal that a recorded overflow is: which rung it came to, and what no rung can leave out. */
export const contextOverflow = ({
  because,
  rung,
  tokens,
  budget,
  parts,
}: ContextOverflow['data']): AppError => {
  const fixed = parts.map((one) => `${one.part} ${one.tokens}`).join(', ');
  const came =
    because === 'overflowed-again'
      ? `its provider has refused it again, at ${tokens} tokens as counted here`
      : `${tokens} tokens are left of it and ${budget ?? 'no'} allowed`;
  return new AppError(
    'context-overflow',
    `the request does not fit: ${came} (rung ${rung}); what cannot be left out: ${fixed || 'nothing'}; ` +
      'compact or reset the session, or switch to a larger model',
  );
};
