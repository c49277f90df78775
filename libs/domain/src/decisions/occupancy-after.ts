import type { Tokens } from '@app/kernel';
import { occupancy } from '../occupancy/occupancy.js';
import type { SessionEvent } from '../session/events.js';
import type { OpenSession } from '../session/state.js';
import { stateAfter } from './state-after.js';

/** The occupancy that there will be once `event` is recorded. */
export const occupancyAfter = (session: OpenSession, event: SessionEvent): Tokens =>
  occupancy(stateAfter(session, event));
