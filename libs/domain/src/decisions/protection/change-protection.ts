import type { SessionEvent } from '../../session/events.js';
import type { OpenSession } from '../../session/state.js';
import type { ProtectionCommand, SessionCommand } from '../commands.js';
import { endRetention, extendRetention } from './end-retention.js';
import { placeLegalHold, releaseLegalHold } from './legal-holds.js';
import { removeRetention, setRetention } from './set-retention.js';

const TYPES: Readonly<Record<ProtectionCommand['type'], true>> = {
  SetRetention: true,
  RemoveRetention: true,
  ExtendRetention: true,
  EndRetention: true,
  PlaceLegalHold: true,
  ReleaseLegalHold: true,
};
export const isProtectionCommand = (command: SessionCommand): command is ProtectionCommand =>
  Object.hasOwn(TYPES, command.type);

/** Decides retention and holds of a session, open or closed. */
export const changeProtection = (
  command: ProtectionCommand,
  session: OpenSession,
): readonly SessionEvent[] => {
  switch (command.type) {
    case 'SetRetention':
      return setRetention(command, session);
    case 'RemoveRetention':
      return removeRetention(command, session);
    case 'ExtendRetention':
      return extendRetention(command, session);
    case 'EndRetention':
      return endRetention(command, session);
    case 'PlaceLegalHold':
      return placeLegalHold(command, session);
    case 'ReleaseLegalHold':
      return releaseLegalHold(command, session);
  }
};
