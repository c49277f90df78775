import { occupancy } from '../../../budget/occupancy.js';
import type { CountRequestCommand } from '../../commands.js';
import type { SessionEvent } from '../../events.js';
import type { OpenSession } from '../../state.js';
import { carrying } from './carrying.js';

/** Records whose count of the next request decides, and what the other one was. */
export const countRequest = (
  { data: { contributed, answer } }: CountRequestCommand,
  session: OpenSession,
): readonly SessionEvent[] => {
  const { turn, model } = session;
  const estimated = occupancy(carrying(session, contributed));
  const common = { turn, model, estimated, contributed };
  return [
    'tokens' in answer
      ? { type: 'RequestCounted', data: { ...common, counter: 'provider', tokens: answer.tokens } }
      : {
          type: 'RequestCounted',
          data: { ...common, counter: 'estimate', tokens: estimated, failure: answer.failure },
        },
  ];
};
