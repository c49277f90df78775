import { AppError, canonicalJson } from '@app/kernel';
import { outputReserve } from '../../../budget/limits.js';
import { requireValidProfile } from '../../../compaction/profiles/fields/require-valid-profile.js';
import type { OpenSessionCommand } from '../../commands.js';
import type { SessionEvent } from '../../events.js';
import type { SessionState } from '../../state.js';
import { doubleConfigured } from '../provider/double-compaction.js';

/** A session is opened once; the same command again changes nothing, another one is refused. */
export const openSession = ({ data }: OpenSessionCommand, state: SessionState): readonly SessionEvent[] => {
  if (state.status === 'open') {
    if (canonicalJson(state.opened) === canonicalJson(data)) return [];
    throw new AppError(
      'session-already-open',
      `session "${data.sessionId}" is open already, with other settings`,
    );
  }
  requireValidProfile(data.profile);
  outputReserve(data.limits, data.profile); // Refuses a window that leaves no room.
  return [{ type: 'SessionOpened', data }, ...doubleConfigured(data.profile, 'session-start')];
};
