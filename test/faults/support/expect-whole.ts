import { expect } from '@jest/globals';
import { faultsOf, type History, historyOf, list, rowsOf } from './histories.js';
import { output } from './palimpsest.js';
import { processesOf } from './processes.js';

/** What the product tells of a session is held against itself, and against a session that nobody has disturbed. */
export const expectWhole = async (data: string, session: string, undisturbed: History): Promise<void> => {
  const history = await historyOf(data, session);
  expect(faultsOf(history)).toEqual([]);
  expect(history.messages).toEqual(undisturbed.messages);
  list(await output(['projections', 'rebuild', '--data', data, '--json']));
  expect(await rowsOf(data)).toEqual({ audit: history.audit, sessions: history.sessions });
  expect(processesOf(data)).toEqual([]);
};
