import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import type { InvalidRequest } from './problems.js';
import { unknownFields, valid } from './valid.js';

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

  const refusedBy = (shape: z.ZodType, value: unknown): Promise<InvalidRequest> =>
    valid(shape)
      .transform(value, { type: 'body' })
      .then(
        () => {
          throw new Error('it is refused');
        },
        (error: InvalidRequest) => error,
      );

  it('names missing fields and their valid values', async () => {
    const shape = z.strictObject({
      name: z.string(),
      size: z.int(),
      tools: z.array(z.string()),
      of: z.object({}),
    });
    expect((await refusedBy(shape, {})).members).toEqual({
      faults: [
        { at: 'name', problem: 'missing: give a string' },
        { at: 'size', problem: 'missing: give a number' },
        { at: 'tools', problem: 'missing: give an array' },
        { at: 'of', problem: 'missing: give an object' },
      ],
    });
  });

  it('names the valid types, values and bounds', async () => {
    const shape = z.strictObject({
      name: z.string().min(1),
      size: z.int().max(64),
      mode: z.enum(['slow', 'fast']),
      kind: z.literal('one'),
      tags: z.array(z.string()).min(2),
      until: z.iso.datetime(),
      reason: z.string(),
    });
    const given = { name: '', size: 65, mode: 7, tags: [], until: 'soon', reason: null };
    const { faults } = Object(await refusedBy(shape, given)).members;
    expect(faults.map(({ at, problem }: { at: string; problem: string }) => `${at}: ${problem}`)).toEqual([
      'name: give at least 1 character',
      'size: give a number of at most 64',
      'mode: give one of slow, fast',
      'kind: missing: give one',
      'tags: give at least 2 items',
      'until: give a time such as 2026-11-21T09:30:00Z',
      'reason: give a string, not null',
    ]);
  });

  it('names the path of each field in nested objects', async () => {
    const shape = z.strictObject({ usage: z.strictObject({ inputTokens: z.int() }).optional() });
    const refused = await refusedBy(shape, { usage: { inputTokens: 1, inptTokens: 1 }, usgae: 1 });
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
