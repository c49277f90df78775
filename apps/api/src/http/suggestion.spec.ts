import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import type { InvalidRequest } from './problems.js';
import { unknownFields } from './suggestion.js';
import { valid } from './valid.js';

describe('unknown fields', () => {
  it('lists the known fields of a small object', () => {
    expect(unknownFields(['widnow', 'x'], ['session', 'window'])).toEqual([
      'unknown field "widnow" (did you mean "window"?); known: session, window',
      'unknown field "x"; known: session, window',
    ]);
  });

  it('names only the first of many unknown fields', () => {
    const names = Array.from({ length: 100_000 }, (_, at) => `field-${at}\n`);
    const problems = unknownFields(names, []);
    expect(problems).toHaveLength(6);
    expect(problems[0]).toBe('unknown field "field-0 "');
    expect(problems[5]).toBe('99995 more unknown fields');
  });

  it('names the path of each field in nested objects', async () => {
    const shape = z.strictObject({ usage: z.strictObject({ inputTokens: z.int() }).optional() });
    const refused: InvalidRequest = await valid(shape)
      .transform({ usage: { inputTokens: 1, inptTokens: 1 }, usgae: 1 }, { type: 'body' })
      .then(
        () => {
          throw new Error('it is refused');
        },
        (error: InvalidRequest) => error,
      );
    expect(refused.members).toEqual({
      faults: [
        {
          at: 'usage.inptTokens',
          problem: 'unknown field "inptTokens" (did you mean "inputTokens"?); known: inputTokens',
        },
        { at: 'usgae', problem: 'unknown field "usgae" (did you mean "usage"?); known: usage' },
      ],
    });
  });
});
