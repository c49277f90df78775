import { AppError, canonicalJson } from '@app/kernel';
import { outputReserve } from '../../budget/limits.js';
import type { OpenSessionCommand } from '../commands.js';
import type { SessionEvent } from '../events.js';
import type { SessionState } from '../state.js';

/** A session is opened once; the same command again changes nothing, another one is refused. */
export const openSession = ({ data }: OpenSessionCommand, state: SessionState): readonly SessionEvent[] => {
  if (state.status === 'open') {
    if (canonicalJson(state.opened) === canonicalJson(data)) return [];
    throw new AppError(
      'session-already-open',
      `session "${data.sessionId}" is open already, with other settings`,
    );
  }
  const { warnAt, triggerAt, requireAt, blockAt } = data.profile;
  const ascending = warnAt > 0 && warnAt <= requireAt && requireAt <= blockAt && blockAt <= 1;
  if (!ascending || triggerAt <= 0 || triggerAt > 1) {
    throw new AppError(
      'invalid-settings',
      'thresholds are shares of the window: 0 < warnAt ≤ requireAt ≤ blockAt ≤ 1',
    );
  }
  outputReserve(data.limits, data.profile); // Refuses a window that leaves no room.
  return [{ type: 'SessionOpened', data }];
};
