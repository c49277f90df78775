import { decide, evolve, initialState } from '@app/domain';
import { append, appendBilled, counted, eventsOf, open, specificationOf, usage, user } from '@app/testing';

const given = specificationOf({ initialState, evolve, decide });

describe('appending messages', () => {
  const opened = eventsOf(open());
  const hello = user('m1', 'hello');

  it('records messages in order', () =>
    given(...opened)
      .when(append(hello, user('m2', 'again')))
      .then(
        { type: 'MessageAppended', data: counted(hello) },
        { type: 'MessageAppended', data: counted(user('m2', 'again')) },
      ));

  it('records a known message only once', () =>
    given(...eventsOf(open(), append(hello)))
      .when(append(hello))
      .thenNothing());

  it('records a message once that occurs twice in one command', () =>
    given(...opened)
      .when(append(hello, hello))
      .thenRecords('MessageAppended'));

  it('records the new messages of a batch with known ones', () =>
    given(...eventsOf(open(), append(hello)))
      .when(append(hello, user('m2', 'again')))
      .then({ type: 'MessageAppended', data: counted(user('m2', 'again')) }));

  it('records usage after the messages that it was billed for', () =>
    given(...opened)
      .when(appendBilled({ input: 10 }, hello))
      .then(
        { type: 'MessageAppended', data: counted(hello) },
        { type: 'UsageReported', data: expect.objectContaining(usage({ input: 10 })) },
      ));

  it('records the same usage only once', () =>
    given(...eventsOf(open(), appendBilled({ input: 10 }, hello)))
      .when(appendBilled({ input: 10 }, hello))
      .thenNothing());

  it('rejects an id that belongs to another message', () =>
    given(...eventsOf(open(), append(hello)))
      .when(append(user('m1', 'goodbye')))
      .thenRefuses('message-conflict'));

  it('rejects one id for two messages in one command', () =>
    given(...opened)
      .when(append(hello, user('m1', 'goodbye')))
      .thenRefuses('message-conflict'));

  it('rejects messages before the session is opened', () =>
    given().when(append(hello)).thenRefuses('session-not-found'));
});
