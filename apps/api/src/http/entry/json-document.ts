import type { Json } from '@app/kernel';
import { InvalidRequest } from '../problems.js';

/** The JSON document that `bytes` are. @throws {InvalidRequest} where they are none. */
export const documentIn = async (bytes: Buffer): Promise<Json> => {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new InvalidRequest([{ at: 'body', problem: 'it is no JSON' }]);
  }
};
