import { expect } from '@jest/globals';
import { Shell } from '../../support/shell/shell.js';
import { faultsOf, type History, historyIn, list, rowsIn, said } from './histories.js';
import { processesOf } from './processes.js';

/** Checks the product's reports about a session against each other, and against an undisturbed session. */
export const expectWhole = async (data: string, session: string, undisturbed: History): Promise<void> => {
  await Shell.on(data, async (shell) => {
    const history = await historyIn(shell, session);
    expect(faultsOf(history)).toEqual([]);
    expect(history.messages).toEqual(undisturbed.messages);
    list(said(await shell.run(['projections', 'rebuild', '--json'])));
    expect(await rowsIn(shell)).toEqual({ audit: history.audit, sessions: history.sessions });
  });
  expect(processesOf(data)).toEqual([]);
};
