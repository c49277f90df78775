import type { SessionEvent } from '../../session/events.js';
import type { SkipProjectionCommand } from '../commands.js';

/** Records once that a projection skips an event; also for a closed session. */
export const skipProjection = ({ data }: SkipProjectionCommand): readonly SessionEvent[] => {
  const { projection, revision, position, reason, isSkipped } = data;
  if (isSkipped) return [];
  return [{ type: 'ProjectionSkipped', data: { projection, revision, position, reason } }];
};
