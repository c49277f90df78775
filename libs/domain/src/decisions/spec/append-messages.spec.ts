import { decide, evolve, initialState } from '@app/domain';
import { append, appendBilled, counted, eventsOf, open, specificationOf, usage, user } from '@app/testing';

const given = specificationOf({ initialState, evolve, decide });

describe('appending messages', () => {
  const opened = eventsOf(open());
  const hello = user('m1', 'hello');

  it('records them in order', () =>
    given(...opened)
      .when(append(hello, user('m2', 'again')))
      .then(
        { type: 'MessageAppended', data: counted(hello) },
        { type: 'MessageAppended', data: counted(user('m2', 'again')) },
      ));

  it('records nothing twice', () =>
    given(...eventsOf(open(), append(hello)))
      .when(append(hello))
      .thenNothing());

  it('records a message once that stands twice in one command', () =>
    given(...opened)
      .when(append(hello, hello))
      .thenRecords('MessageAppended'));

  it('records what is new among what is not', () =>
    given(...eventsOf(open(), append(hello)))
      .when(append(hello, user('m2', 'again')))
      .then({ type: 'MessageAppended', data: counted(user('m2', 'again')) }));

  it('records what was billed after the messages that it was billed for', () =>
    given(...opened)
      .when(appendBilled({ input: 10 }, hello))
      .then(
        { type: 'MessageAppended', data: counted(hello) },
        { type: 'UsageReported', data: expect.objectContaining(usage({ input: 10 })) },
      ));

  it('records no bill twice', () =>
    given(...eventsOf(open(), appendBilled({ input: 10 }, hello)))
      .when(appendBilled({ input: 10 }, hello))
      .thenNothing());

  it('is refused where an id has been given to another message', () =>
    given(...eventsOf(open(), append(hello)))
      .when(append(user('m1', 'goodbye')))
      .thenRefuses('message-conflict'));

  it('is refused where one command gives an id to two messages', () =>
    given(...opened)
      .when(append(hello, user('m1', 'goodbye')))
      .thenRefuses('message-conflict'));

  it('is refused before the session is opened', () =>
    given().when(append(hello)).thenRefuses('session-not-found'));
});
