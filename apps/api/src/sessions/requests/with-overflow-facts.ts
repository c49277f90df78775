import { ContextOverflowError } from '@app/application';
import { DetailedRefusal } from '../../http/problems.js';

/** Awaits a result and adds the facts and remedies of a {@link ContextOverflowError} to its problem details. */
export const withOverflowFacts = async <Result>(asked: Promise<Result>): Promise<Result> => {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof ContextOverflowError)) throw error;
    throw new DetailedRefusal('context-overflow', error.message, error.facts);
  }
};
