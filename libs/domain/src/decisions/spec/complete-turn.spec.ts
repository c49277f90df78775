import { decide, evolve, initialState } from '@app/domain';
import { MessageId } from '@app/kernel';
import {
  append,
  assistant,
  call,
  completeTurn,
  eventsOf,
  open,
  result,
  specificationOf,
  turns,
  user,
} from '@app/testing';

const given = specificationOf({ initialState, evolve, decide });
const asked = append(user('u1', 'go'), assistant('a1', call('c1'), call('c2')), user('r1', result('c1')));

describe('completing a turn', () => {
  it('is recorded', () =>
    given(...eventsOf(open(), append(...turns(1))))
      .when(completeTurn())
      .then({ type: 'TurnCompleted', data: { turn: 1, stopReason: 'end_turn' } }));

  it('is recorded once for each turn', () => {
    given(...eventsOf(open(), append(...turns(1)), completeTurn()))
      .when(completeTurn())
      .thenNothing();
    given(...eventsOf(open(), append(...turns(1)), completeTurn(), append(user('u2', 'next'))))
      .when(completeTurn())
      .thenRecords('TurnCompleted');
  });

  it('is nothing before the first turn', () =>
    given(...eventsOf(open()))
      .when(completeTurn())
      .thenNothing());

  it('abandons no call of the turn itself: its result may be under way', () =>
    given(...eventsOf(open(), asked))
      .when(completeTurn())
      .thenRecords('TurnCompleted'));

  // Holds rule 5.39.
  it('abandons the calls of earlier turns that nobody has answered', () =>
    given(...eventsOf(open(), asked, completeTurn(), append(user('u2', 'next'))))
      .when(completeTurn())
      .then(
        { type: 'TurnCompleted', data: { turn: 2, stopReason: 'end_turn' } },
        {
          type: 'ToolCallAbandoned',
          data: { calls: [{ messageId: MessageId('a1'), callId: 'c2' }], reason: 'unanswered-after-turn' },
        },
      ));

  it('abandons no call twice', () =>
    given(...eventsOf(open(), asked, append(user('u2', 'next')), completeTurn(), append(user('u3', 'on'))))
      .when(completeTurn())
      .thenRecords('TurnCompleted'));
});
