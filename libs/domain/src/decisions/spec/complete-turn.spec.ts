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
  it('records the completion', () =>
    given(...eventsOf(open(), append(...turns(1))))
      .when(completeTurn())
      .then({ type: 'TurnCompleted', data: { turn: 1, stopReason: 'end_turn' } }));

  it('records the completion once per turn', () => {
    given(...eventsOf(open(), append(...turns(1)), completeTurn()))
      .when(completeTurn())
      .thenNothing();
    given(...eventsOf(open(), append(...turns(1)), completeTurn(), append(user('u2', 'next'))))
      .when(completeTurn())
      .thenRecords('TurnCompleted');
  });

  it('records nothing before the first turn', () =>
    given(...eventsOf(open()))
      .when(completeTurn())
      .thenNothing());

  it('keeps the calls of the turn itself, whose results may be under way', () =>
    given(...eventsOf(open(), asked))
      .when(completeTurn())
      .thenRecords('TurnCompleted'));

  // Holds rule 5.39.
  it('abandons unanswered calls of earlier turns', () =>
    given(...eventsOf(open(), asked, completeTurn(), append(user('u2', 'next'))))
      .when(completeTurn())
      .then(
        { type: 'TurnCompleted', data: { turn: 2, stopReason: 'end_turn' } },
        {
          type: 'ToolCallAbandoned',
          data: { calls: [{ messageId: MessageId('a1'), callId: 'c2' }], reason: 'unanswered-after-turn' },
        },
      ));

  it('abandons a call once', () =>
    given(...eventsOf(open(), asked, append(user('u2', 'next')), completeTurn(), append(user('u3', 'on'))))
      .when(completeTurn())
      .thenRecords('TurnCompleted'));
});
