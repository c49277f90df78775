import { jest } from '@jest/globals';
import { EventId } from '../../log/event-id.js';
import { Timeouts } from './timeouts.js';

const ID = EventId('01234567-89ab-cdef-0123-456789abcdef');

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

it('checks for expired messages once a second, as EventStoreDB does', () => {
  const late: EventId[] = [];
  const timeouts = new Timeouts(new Map([[ID, { deadline: Date.now() + 100 }]]), (ids) => late.push(...ids));
  timeouts.watch();
  jest.advanceTimersByTime(999);
  expect(late).toEqual([]);
  jest.advanceTimersByTime(1);
  expect(late).toEqual([ID]);
  timeouts.stop();
});
