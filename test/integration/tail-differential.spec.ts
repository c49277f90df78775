import { basename } from 'node:path';
import { fileOperationsOf, profileNamed, pullsTrigger } from '@app/domain';
import { Tokens } from '@app/kernel';
import { linesOf } from '@app/testing';
import { verdict } from '../support/pi/differences.js';
import { messagesOf, ourCut, sessionsOf } from '../support/pi/our-cut.js';
import { askPi, PI_PACKAGE } from '../support/pi/package.js';
import { PI_FILES, type Recording, readRecording, recordingOf } from '../support/pi/recording.js';

/**
 * Compares the profile `tail` with pi, the agent whose compaction it follows: with pi's recorded sessions, if
 * `PALIMPSEST_TRANSCRIPTS` has some, and with its package, if `PALIMPSEST_DIFF_PI` names a folder in which it is
 * installed (`npm install --prefix FOLDER @mariozechner/pi-coding-agent`). A rule of `support/pi/differences.ts` must
 * explain each difference.
 */
const KEEPS = [0, 2_000, 8_000, 16_384, 20_000];
/** Pi's defaults for retained and reserved tokens, which its sessions do not record. */
const PI_KEEPS = 20_000;
const PI_RESERVES = 16_384;

const tallyOf = (verdicts: readonly string[]): Readonly<Record<string, number>> => {
  const tally: Record<string, number> = {};
  for (const one of verdicts) tally[one] = (tally[one] ?? 0) + 1;
  return tally;
};
const expectExplained = (name: string, verdicts: readonly string[]): void => {
  process.stderr.write(`${name}: ${JSON.stringify(tallyOf(verdicts), undefined, 2)}\n`);
  expect(verdicts.filter((one) => one === 'unexplained')).toEqual([]);
};

/** Compares each compaction of a recording with the one that the profile would prepare. */
const recordedVerdicts = async ({ compactions }: Recording): Promise<readonly string[]> => {
  const verdicts: string[] = [];
  for (const { records, firstKept, previousFiles, files } of compactions) {
    const messages = await messagesOf(records);
    const session = sessionsOf(messages).at(-1);
    if (!session) continue;
    const first = session.entries[firstKept];
    const isSplit = first !== undefined && first.message.role === 'assistant';
    const cut = ourCut(session, PI_KEEPS);
    const ours = cut && {
      ...cut,
      files: fileOperationsOf(messages.slice(0, cut.at), previousFiles),
    };
    const pis = { at: firstKept, isSplit, files: files ?? ours?.files ?? previousFiles };
    verdicts.push(verdict(ours, pis, session));
  }
  return verdicts;
};

describe('recording of pi', () => {
  const words = (length: number) => [{ type: 'text', text: 'x'.repeat(length) }];
  const entry = (id: string, parentId: string | null, message: object) => ({
    type: 'message',
    timestamp: '2026-05-20T10:00:33.231Z',
    id,
    parentId,
    message,
  });
  const asked = (id: string, parentId: string | null) =>
    entry(id, parentId, { role: 'user', content: words(400) });
  const answered = (id: string, parentId: string, length: number, path: string) =>
    entry(id, parentId, {
      role: 'assistant',
      content: [...words(length), { type: 'toolCall', id: `c-${id}`, name: 'edit', arguments: { path } }],
    });
  const result = (id: string, parentId: string, of: string) =>
    entry(id, parentId, { role: 'toolResult', toolCallId: `c-${of}`, content: words(40), isError: false });
  const compaction = (id: string, parentId: string, firstKeptEntryId: string, modifiedFiles: string[]) => ({
    type: 'compaction',
    id,
    parentId,
    summary: 'so far',
    firstKeptEntryId,
    countedBefore: 1,
    details: { readFiles: [], modifiedFiles },
  });
  const made = (firstKept: string) =>
    linesOf(
      { type: 'session', version: 3, id: 's' },
      asked('u1', null),
      answered('a1', 'u1', 80_000, 'a.ts'),
      result('r1', 'a1', 'a1'),
      asked('elsewhere', 'u1'),
      asked('u2', 'r1'),
      answered('a2', 'u2', 90_000, 'b.ts'),
      result('r2', 'a2', 'a2'),
      compaction('k1', 'r2', 'a2', ['a.ts']),
      asked('u3', 'k1'),
      answered('a3', 'u3', 90_000, 'c.ts'),
      result('r3', 'a3', 'a3'),
      compaction('k2', 'r3', firstKept, ['a.ts', 'b.ts']),
    );

  // Holds rule 5.84.
  it('made by hand agrees, on its branch and from the previous compaction on', async () => {
    const recording = recordingOf(made('a3'));
    expect(recording.compactions.map(({ records, firstKept }) => [records.length, firstKept])).toEqual([
      [6, 4],
      [5, 3],
    ]);
    const [rule, ...others] = await recordedVerdicts(recording);
    expect(rule).toMatch(/splits no turn/);
    expect(others).toEqual([rule]);
  });

  it('with another retained tail is detected', async () =>
    expect(await recordedVerdicts(recordingOf(made('u3')))).toContain('unexplained'));

  if (PI_FILES.length === 0)
    it.skip('is missing: PALIMPSEST_TRANSCRIPTS names no folder with recordings', () => {});
  for (const path of PI_FILES) {
    it(`${basename(path)} was cut where the profile cuts, or a rule explains the difference`, async () =>
      expectExplained(`recorded in ${basename(path)}`, await recordedVerdicts(readRecording(path))));
  }
});

describe('package of pi', () => {
  const folder = PI_PACKAGE;
  if (folder === undefined || PI_FILES.length === 0) {
    it.skip('is missing: PALIMPSEST_DIFF_PI names no folder that contains it, or no session is recorded', () => {});
    return;
  }
  it.each([1_000, 16_384, 32_767, 32_768, 200_000])(
    'compacts when the profile does, in a window of %d tokens',
    (window) => {
      // Pi reserves a fixed number of tokens; the profile at most half of the window.
      const profile = { ...profileNamed('tail'), triggerReserveTokens: PI_RESERVES };
      const limits = { window: Tokens(window), windowSource: 'given' } as const;
      const reserve = Math.min(PI_RESERVES, window / 2);
      const sizes = [-1, 0, 1].map((by) => [Math.floor(window - reserve) + by, window] as const);
      const { compacts } = askPi(folder, { records: [], ends: [], keeps: [], reserve, sizes });
      expect(sizes.map(([size]) => pullsTrigger(size, limits, profile))).toEqual(compacts);
      expect(compacts).toEqual([false, false, true]);
    },
  );

  for (const path of PI_FILES) {
    it(`cuts ${basename(path)} where the profile does after every message, or a rule explains the difference`, async () => {
      const { records } = readRecording(path);
      const messages = await messagesOf(records);
      const sessions = sessionsOf(messages);
      const ends = sessions.map((_, at) => at + 1);
      const answers = askPi(folder, { records, ends, keeps: KEEPS, reserve: PI_RESERVES, sizes: [] });
      expect(messages.map(({ tokens }) => tokens)).toEqual(answers.tokens);
      for (const [which, keep] of KEEPS.entries()) {
        const verdicts = sessions.flatMap((session, at) => {
          const pis = answers.cuts[at]?.[which];
          return pis ? [verdict(ourCut(session, keep), pis, session)] : [];
        });
        expect(verdicts).toHaveLength(records.length);
        expectExplained(`${basename(path)}, ${keep} tokens`, verdicts);
      }
    });
  }
});
