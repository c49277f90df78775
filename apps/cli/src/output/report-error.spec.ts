import { AppError, InvariantViolation } from '@app/kernel';
import { jest } from '@jest/globals';
import { CommanderError } from 'commander';
import { Interrupted, reportError } from './report-error.js';

const reported = (error: unknown) => {
  const lines: string[] = [];
  const write = jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
    lines.push(String(text));
    return true;
  });
  const code = reportError(error);
  write.mockRestore();
  return { code, text: lines.join('') };
};

describe('an error on the command line', () => {
  it('is one line with its code where it is a refusal of ours', () => {
    const error = new AppError('session-not-found', 'there is no\n session "x"', {
      cause: new Error('secret'),
    });
    expect(reported(error)).toEqual({
      code: 1,
      text: 'palimpsest: there is no session "x" [session-not-found]\n',
    });
  });

  it.each([
    ['an error of another', new TypeError('a secret of the session'), 'TypeError'],
    ['no error at all', 'a secret of the session', 'string'],
    ['a broken invariant', new InvariantViolation('tokens must be whole'), 'tokens must be whole'],
  ])('is a defect without content: %s', (_, error, shown) => {
    const { code, text } = reported(error);
    expect(code).toBe(70);
    expect(text).toContain(shown);
    expect(text).not.toContain('secret');
    expect(text.trim().split('\n')).toHaveLength(1);
  });

  it('says nothing where it has been said, or where the user asked for it', () => {
    expect(reported(new CommanderError(1, 'commander.unknownOption', 'said'))).toEqual({ code: 2, text: '' });
    expect(reported(new CommanderError(5, 'commander.error', 'said'))).toEqual({ code: 5, text: '' });
    expect(reported(new CommanderError(0, 'commander.version', '0.1.0'))).toEqual({ code: 0, text: '' });
    expect(reported(new Interrupted())).toEqual({ code: 130, text: '' });
  });
});
