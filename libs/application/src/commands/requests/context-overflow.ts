import { type EventData, largestText, remedyTexts } from '@app/domain';
import { AppError } from '@app/kernel';

/** `context-overflow`, with the facts that its event has recorded. */
export class ContextOverflowError extends AppError {
  constructor(
    readonly facts: EventData<'ContextOverflowed'>,
    message: string,
  ) {
    super('context-overflow', message);
  }
}

/** Returns the error for a recorded overflow, with its ladder rung and remedies. */
export const contextOverflow = (facts: EventData<'ContextOverflowed'>): ContextOverflowError => {
  const { reason, rung, tokens, budget, parts, largest, remedies } = facts;
  const fixed = parts.map((one) => `${one.part} ${one.tokens}`).join(', ');
  return new ContextOverflowError(
    facts,
    `the request does not fit: ${CAME[reason]} ${tokens} billed tokens, and at most ${budget ?? 'an unknown number'} fit ` +
      `(rung ${rung}); ${largest ? `${largestText(largest)}; ` : ''}` +
      `counted tokens that cannot be left out: ${fixed || 'none'}; ${remedyTexts(remedies)}`,
  );
};

const CAME: Readonly<Record<EventData<'ContextOverflowed'>['reason'], string>> = {
  'repeated-overflow': 'its provider has refused it again, and it is left with',
  'ladder-exhausted': 'it is left with',
  'ladder-disabled': 'the ladder is off, and it has',
};
