import type { Tokens } from '@app/kernel';
import { occupancy } from '../../budget/occupancy.js';
import type { SessionEvent } from '../events.js';
import type { OpenSession } from '../state.js';
import { stateAfter } from './state-after.js';

/** The occupancy that there will be once `event` is recorded. */
export const occupancyAfter = (session: OpenSession, event: SessionEvent): Tokens =>
  occupancy(stateAfter(session, event));
