import type { SessionEvent } from '../../session/events.js';
import type { SkipProjectionCommand } from '../commands.js';

/** Records once what a projection shall go on without; also of a session that is closed. */
export const skipProjection = ({ data }: SkipProjectionCommand): readonly SessionEvent[] => {
  const { projection, revision, position, reason, isSkipped } = data;
  if (isSkipped) return [];
  return [{ type: 'ProjectionSkipped', data: { projection, revision, position, reason } }];
};
