import { AppError, canonicalJson, Tokens } from '@app/kernel';
import type { EventOf } from '../../session/events.js';
import type { Decide } from '../commands.js';
import { occupancyAfter } from '../state-after.js';

/** Pins content to every request. Replaces the pin with the same id. */
export const pinContent: Decide<'PinContent'> = ({ data: { pin } }, session) => {
  const known = session.pins.find(({ pinId }) => pinId === pin.pinId);
  if (known && canonicalJson(known) === canonicalJson(pin)) return [];
  const pinned: EventOf<'ContentPinned'> = {
    type: 'ContentPinned',
    data: { pin, occupancyAfter: Tokens(0) },
  };
  return [{ ...pinned, data: { pin, occupancyAfter: occupancyAfter(session, pinned) } }];
};

/** @throws {AppError} `pin-not-found`. */
export const unpinContent: Decide<'UnpinContent'> = ({ data: { pinId } }, session) => {
  if (!session.pins.some((pin) => pin.pinId === pinId)) {
    const there = session.pins.map((pin) => pin.pinId).join(', ') || 'none';
    throw new AppError('pin-not-found', `there is no pin "${pinId}" (pins: ${there})`);
  }
  const unpinned: EventOf<'ContentUnpinned'> = {
    type: 'ContentUnpinned',
    data: { pinId, occupancyAfter: Tokens(0) },
  };
  return [{ ...unpinned, data: { pinId, occupancyAfter: occupancyAfter(session, unpinned) } }];
};
