import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import type { InvalidRequest } from './problems.js';
import { nearestOf, unknownFields } from './suggestion.js';
import { valid } from './valid.js';

describe('unknown fields', () => {
  it.each([
    ['sesion', 'session'],
    ['Session', 'session'],
    ['widnow', 'window'],
    ['modle', 'model'],
    ['timeout', undefined],
    ['x', undefined],
    ['s'.repeat(41), undefined],
  ])('suggests for %s the field %s', (name, nearest) => {
    expect(nearestOf(name, ['session', 'window', 'model'])).toBe(nearest);
  });

  it('lists the known fields of a small object', () => {
    expect(unknownFields(['widnow', 'x'], ['session', 'window'])).toBe(
      'unknown fields "widnow" (did you mean "window"?), "x"; known: session, window',
    );
  });

  it('names a few of very many', () => {
    const names = Array.from({ length: 100_000 }, (_, at) => `field-${at}`);
    expect(unknownFields(names, [])).toMatch(/^unknown fields "field-0", .* and 99995 more$/);
  });

  it('are named where they stand, in objects within objects, too', async () => {
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
          at: 'usage',
          problem: 'unknown field "inptTokens" (did you mean "inputTokens"?); known: inputTokens',
        },
        { at: '', problem: 'unknown field "usgae" (did you mean "usage"?); known: usage' },
      ],
    });
  });
});
