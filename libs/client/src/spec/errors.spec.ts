import { describe, expect, it } from '@jest/globals';
import { hasCode, PalimpsestError } from '../transport/errors.js';

const wordFor = (error: PalimpsestError): string => {
  switch (error.code) {
    case 'session-not-found':
      return 'missing';
    // @ts-expect-error: a code that is misspelled does not compile.
    case 'session-not-fuond':
      return 'misspelled';
    default:
      return error.detail;
  }
};

describe('client errors', () => {
  const error = new PalimpsestError('session-closed', 'the session is closed');

  it('have codes that the compiler knows', () => {
    expect(wordFor(error)).toBe('the session is closed');
    expect(wordFor(new PalimpsestError('session-not-found', 'there is no such session'))).toBe('missing');
  });

  it('narrow to given codes', () => {
    if (!hasCode(error, 'session-closed', 'session-not-found')) throw new Error('it has one of these codes');
    const code: 'session-closed' | 'session-not-found' = error.code;
    expect(code).toBe('session-closed');
    expect(hasCode(error, 'internal')).toBe(false);
    expect(hasCode(new Error('another'), 'internal')).toBe(false);
  });

  it('keep their code over retries', () => {
    const again: PalimpsestError<'session-closed'> = error.after(3);
    expect(again).toMatchObject({ code: 'session-closed', attempts: 3 });
  });
});
