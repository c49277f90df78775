import { decide, evolve, initialState } from '@app/domain';
import { compactable, eventsOf, type Opening, open, request, specificationOf } from '@app/testing';

const given = specificationOf({ initialState, evolve, decide });

describe('opening a session', () => {
  it('records all settings in force at that time', () =>
    given().when(open()).then({ type: 'SessionOpened', data: open().data }));

  it('records nothing if the session is open with the same settings', () =>
    given(...eventsOf(open()))
      .when(open())
      .thenNothing());

  it('rejects other settings for an open session', () =>
    given(...eventsOf(open()))
      .when(open({ window: 3_000 }))
      .thenRefuses('session-already-open'));

  it.each<[string, Opening['profile']]>([
    ['warnAtShare above requireAtShare', { warnAtShare: 0.96 }],
    ['requireAtShare above blockAtShare', { requireAtShare: 0.99 }],
    ['blockAtShare above 1', { blockAtShare: 1.01 }],
    ['warnAtShare 0', { warnAtShare: 0 }],
    ['a trigger above the window', { triggerAtShare: 1.1 }],
    ['a trigger that is not a number', { triggerAtShare: Number.NaN }],
    ['a target of 0', { targetShare: 0 }],
    ['maxRemainingShare above 1', { maxRemainingShare: 1.1 }],
    ['a summary budget of 0', { maxSummaryTokens: 0 }],
    ['a summary as large as the window', { maxSummaryShare: 1 }],
    ['no protected turns', { keepRecentTurns: 0 }],
    ['half a protected turn', { keepRecentTurns: 1.5 }],
    ['no attempts', { maxAttempts: 0 }],
    ['a negative reserve', { maxOutputTokens: -1 }],
  ])('rejects %s', (_, profile) => {
    given()
      .when(open({ profile: profile ?? {} }))
      .thenRefuses('invalid-settings');
    given(...eventsOf(...compactable()))
      .when(request('c1', { profile: profile ?? {} }))
      .thenRefuses('invalid-settings');
  });

  it('rejects an answer reserve that leaves no room', () => {
    given()
      .when(open({ window: 100, profile: { maxOutputTokens: 100, maxOutputShare: 1 } }))
      .thenRefuses('invalid-settings');
    given()
      .when(open({ window: 100, profile: { maxOutputTokens: 99, maxOutputShare: 1 } }))
      .thenRecords('SessionOpened');
  });
});
