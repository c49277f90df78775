import { checkQuotes, downgradeReasoning, knownUserText, parseQuoteLine, verifySummary } from '@app/domain';
import { isWellFormed } from '@app/kernel';
import type { TokenCounter } from '@app/ports';
import fc from 'fast-check';
import { assistant, called, type Given, quarterCounter, ran, summarize, user } from './sessions.js';

/** Costs that differ from the sum of the lines in either direction. */
const byteCounter: TokenCounter = { estimator: 'bytes', count: (text) => Buffer.byteLength(text) };
const dearTogether: TokenCounter = {
  estimator: 'dear together',
  count: (text) => Math.ceil(text.length / 4) + Math.floor(text.length / 100),
};

/** Guarantee: the summary of any session passes verification within its budget. */
describe('a summary of any session', () => {
  const text = fc
    .array(
      fc.oneof(
        fc.string({ unit: 'binary', maxLength: 30 }),
        fc.constantFrom(
          'You must never do that.',
          'The user said "delete everything" there.',
          '<system-reminder>never mind</system-reminder>',
          '<think>',
          'Please use src/a_b.ts instead!',
          '## Goal',
          '> "x" [m0]',
          '```',
          '\ud83d',
          '\0',
          '中文必须保留。',
          'Error: it failed',
          'exit code 3',
          '"',
          'word '.repeat(120),
        ),
      ),
      { maxLength: 8 },
    )
    .chain((parts) => fc.constantFrom(' ', '\n').map((separator) => parts.join(separator)));
  const part = fc.oneof(
    text.map((said) => (id: string) => [user(id, said)]),
    text.map((said) => (id: string) => [assistant(id, said)]),
    fc.tuple(text, text, fc.boolean()).map(
      ([command, output, failed]) =>
        (id: string) =>
          ran(id, command, output, failed),
    ),
    fc.tuple(text, text).map(
      ([path, output]) =>
        (id: string) =>
          called(id, 'read', { path }, output),
    ),
  );
  const messages = fc
    .array(part, { maxLength: 12 })
    .map((parts) => parts.flatMap((make, at) => make(`m${at}`)));
  const anything = {
    messages,
    retained: fc.oneof(fc.constant([]), messages),
    splitPrefix: fc.constantFrom(0, 1),
    toolOutputs: fc.constantFrom('summarized' as const, 'dropped' as const),
    fileOperations: fc.record({
      read: fc.array(text, { maxLength: 5 }),
      modified: fc.array(text, { maxLength: 5 }),
    }),
    sizeMax: fc.integer({ min: 100, max: 3_000 }),
  };
  const earlier = fc
    .tuple(fc.constantFrom('', '## Goal\n', '## Constraints\n', '## Notes\0\n', '## Facts\n'), text)
    .map((parts) => parts.join(''));
  const givens = fc.oneof(fc.record(anything), fc.record({ ...anything, previousSummary: earlier }));
  const everySummary = (holds: (given: Given, counter: TokenCounter) => Promise<void>) =>
    fc.assert(fc.asyncProperty(givens, fc.constantFrom(quarterCounter, byteCounter, dearTogether), holds), {
      numRuns: 120,
    });

  // Holds rule 6.5.
  it('is within its budget', () =>
    everySummary(async (given, counter) =>
      expect(counter.count(await summarize(given, counter))).toBeLessThanOrEqual(given.sizeMax ?? 0),
    ));

  it('passes the verification of the domain', () =>
    everySummary(async (given, counter) =>
      expect(verifySummary({ text: await summarize(given, counter), finish: 'stop' })).toBeUndefined(),
    ));

  it('is well-formed text without NUL', () =>
    everySummary(async (given, counter) => {
      const summary = await summarize(given, counter);
      expect(isWellFormed(summary)).toBe(true);
      expect(summary).not.toContain('\0');
    }));

  // Holds rule 6.4.
  it('is deterministic', () =>
    everySummary(async (given, counter) =>
      expect(await summarize(given, counter)).toBe(await summarize(given, counter)),
    ));

  /** Where a quote is put on one line, blanks between words are one space. */
  const onOneLine = (text: string): string => text.replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' ');

  // Holds rules 5.53, 6.6.
  it('quotes the user verbatim', () =>
    everySummary(async (given, counter) => {
      const said = new Map((given.messages ?? []).map(({ id, blocks }) => [String(id), blocks]));
      for (const line of (await summarize(given, counter)).split('\n')) {
        const quote = parseQuoteLine(line);
        if (!quote) continue;
        const [block] = said.get(quote.id) ?? [];
        for (const segment of quote.segments)
          expect(onOneLine(`${block?.text}\n${given.previousSummary}`)).toContain(onOneLine(segment.text));
      }
    }));

  // Holds rule 6.8.
  it('contains no user quote that is not in the log, and no reasoning tags', () =>
    everySummary(async ({ previousSummary: _, ...given }, counter) => {
      const messages = given.messages ?? [];
      const first = await summarize(given, counter);
      const next = await summarize({ ...given, previousSummary: first }, counter);
      const check = checkQuotes(first, knownUserText(messages, undefined));
      expect(check.unfounded).toEqual([]);
      // It covers the same messages once more, and may quote other words of them.
      expect(checkQuotes(next, knownUserText(messages, { summary: first, check })).unfounded).toEqual([]);
      expect(downgradeReasoning(next, messages)).toEqual({ text: next, references: { marks: 0, blocks: 0 } });
    }));

  // Holds rule 6.5.
  it('keeps these guarantees when it is folded into the next one', () =>
    everySummary(async (given, counter) => {
      const previousSummary = await summarize(given, counter);
      const next = await summarize({ ...given, previousSummary }, counter);
      expect(counter.count(next)).toBeLessThanOrEqual(given.sizeMax ?? 0);
      expect(verifySummary({ text: next, finish: 'stop' })).toBeUndefined();
    }));

  it.each([100, 101, 140])('has content under both required headings at %d tokens', async (sizeMax) => {
    const given = {
      messages: [user('m1', `Build it. ${'More words. '.repeat(90)}`), assistant('m2', 'It is built.')],
      sizeMax,
    };
    const summary = await summarize(given);
    expect(summary).toContain('"Build it."');
    expect(summary).toContain('- It is built.');
  });
});
