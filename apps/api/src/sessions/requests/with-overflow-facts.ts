import { ContextOverflowError } from '@app/application';
import { DetailedRefusal } from '../../http/problems.js';

/** What `asked` comes to; an overflow that it ends in is refused with its facts, remedies among them. */
export const withOverflowFacts = async <Result>(asked: Promise<Result>): Promise<Result> => {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof ContextOverflowError)) throw error;
    throw new DetailedRefusal('context-overflow', error.message, error.facts);
  }
};
