import { occupancy } from '../../occupancy/occupancy.js';
import type { OpenSession } from '../../session/state.js';
import type { CommandOf, Decide } from '../commands.js';
import { cancelled } from '../compactions/cancel-compaction.js';

/** Recorded once for each erasure. Cancels a compaction in flight, whose result would bring the content back. */
export const eraseContent: Decide<'EraseContent'> = ({ data: { sessionId: _, ...erased } }, session) => {
  if (session.lastErasure === erased.erasure) return [];
  return [
    ...cancelled(session, 'erasure', ''), // A reason would be content, for which there may be no key now.
    {
      type: 'ContentErased',
      data: {
        ...erased,
        turn: session.turn,
        isDescriptionErased: isDescriptionErased(session, erased),
        restored: session.pivot?.compactionId ?? null,
        compactions: session.compactions,
        occupancyAfter: occupancy({ ...session, usage: undefined, measured: [] }),
      },
    },
  ];
};

const isDescriptionErased = (
  { description }: OpenSession,
  { subject }: Pick<CommandOf<'EraseContent'>['data'], 'subject'>,
): boolean =>
  description.erased !== undefined ||
  subject === undefined ||
  (description.subjects?.includes(subject) ?? false);
