import fc from 'fast-check';
import { EventId, eventIdOfHalves, halvesOf } from './event-id.js';

describe('EventId', () => {
  it.each([
    '0123456789abcdef0123456789abcdef',
    '01234567-89ab-cdef-0123-456789abcdef',
    '01234567-89AB-CDEF-0123-456789ABCDEF',
    '{01234567-89ab-cdef-0123-456789abcdef}',
    '(01234567-89ab-cdef-0123-456789abcdef)',
  ])('normalizes %s to the dashed form', (form) => {
    expect(EventId(form)).toBe('01234567-89ab-cdef-0123-456789abcdef');
  });

  it.each(['', 'x', '0123456789abcdef0123456789abcde', `${'0'.repeat(33)}`, 'g'.repeat(32)])(
    'rejects %j',
    (form) => {
      expect(() => EventId(form)).toThrow(expect.objectContaining({ code: 'invalid-id' }));
    },
  );

  it('converts between two 64-bit halves and text without loss', () =>
    fc.assert(
      fc.property(fc.uuid(), (uuid) => {
        const { most, least } = halvesOf(EventId(uuid));
        expect(eventIdOfHalves(most, least)).toBe(uuid);
      }),
    ));
});
