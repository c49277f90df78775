import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CliFolder } from '../support/cli.js';
import type { ContextAnswer, EventLine, ExportLine, ImportLine } from '../support/cli-shapes.js';
import { contextFaults, FORMATS } from '../support/context-faults.js';

const SAMPLE = fileURLToPath(new URL('../../samples/agent-session.json', import.meta.url));

let folder: CliFolder;
let imported: ImportLine;
beforeAll(async () => {
  folder = await CliFolder.make();
  imported = await folder.one<ImportLine>('import', SAMPLE, '--window', '32k');
});
afterAll(() => folder.remove());

/** Guarantee: a sequence of commands on the sample session gives the documented results. */
describe('command line on the sample session', () => {
  it('imports it, with the compactions that its window requires', () => {
    expect(imported).toMatchObject({ format: 'anthropic-messages', skippedLines: 0 });
    expect(imported.compactions).toBeGreaterThan(1);
  });

  it('imports it once, even if repeated', async () => {
    const before = await folder.lines<EventLine>('events', imported.session);
    expect(await folder.one<ImportLine>('import', SAMPLE, '--window', '32k')).toEqual(imported);
    expect(await folder.lines<EventLine>('events', imported.session)).toEqual(before);
  });

  it('lists it', async () => {
    const [sessions] = await folder.lines<readonly object[]>('sessions');
    const { session, messages, turns, compactions } = imported;
    expect(sessions).toEqual([
      expect.objectContaining({ session, messages, turns, compactions, window: 32_000 }),
    ]);
  });

  describe('command line in one process', () => {
    let reading: CliFolder;
    let first: number;
    beforeAll(async () => {
      reading = await CliFolder.shared(folder);
      const events = await reading.lines<EventLine>('events', imported.session);
      first = events.find(({ type }) => type === 'CompactionRequested')?.revision ?? 0;
    });
    afterAll(() => reading.leave());

    it('imports the transcripts of a folder, and names the files that it skips', async () => {
      const files = join(folder.data, 'recorded');
      await mkdir(files);
      await writeFile(join(files, 'a.txt'), 'It was a dark and stormy night.');
      await writeFile(join(files, 'b.json'), '[{"role":"user","content":"hello"}]');
      const { exitCode, stdout, stderr } = await reading.attempt(
        'import',
        '--json',
        '--tenant',
        'files',
        files,
      );
      expect(exitCode).toBe(1);
      expect(stderr).toMatch(/a\.txt is in no known format.*\[unknown-format\]/);
      expect(JSON.parse(stdout)).toMatchObject({ format: 'anthropic-messages', messages: 1 });
    });

    it('names the first thousand skipped lines, and counts the others', async () => {
      const file = join(folder.data, 'broken.jsonl');
      const good = (id: string): string => `{"role":"user","content":"hello ${id}"}\n`;
      await writeFile(file, `${good('1')}${'{"role":\n'.repeat(1_007)}${good('2')}`);
      const { exitCode, stdout, stderr } = await reading.attempt(
        'import',
        '--json',
        '--tenant',
        'files',
        file,
      );
      expect(exitCode).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ messages: 2, skippedLines: 1_007 });
      expect(JSON.parse(stdout).skipped).toHaveLength(1_000);
      expect(stderr).toMatch(
        /broken\.jsonl: line 1001 was skipped: is not whole JSON\n.*: 7 more lines skipped/,
      );
    });

    it.each(FORMATS)(
      'composes a request that %s accepts, now and before its first compaction',
      async (format) => {
        const asked = ['--format', format] as const;
        const now = await reading.one<ContextAnswer>('context', imported.session, ...asked);
        const then = await reading.one<ContextAnswer>(
          'context',
          imported.session,
          ...asked,
          '--as-of',
          String(first),
        );
        for (const { request } of [now, then]) expect(contextFaults(format, request, [])).toEqual([]);
        expect(now.pivot).not.toBeNull();
        expect(then).toMatchObject({ pivot: null, revision: first });
        expect(now.tokens).toBeLessThan(then.tokens);
      },
    );

    it('returns every message', async () => {
      const lines = await reading.lines<ExportLine>('export', imported.session);
      expect(lines).toHaveLength(imported.messages);
      expect(new Set(lines.map(({ id }) => id)).size).toBe(imported.messages);
    });

    it('has an audit row for every event, and the same rows after a rebuild', async () => {
      const events = await reading.lines<EventLine>('events', imported.session);
      const [rows] = await reading.lines<readonly object[]>('audit', '--limit', '10000');
      expect(rows).toHaveLength(events.length);
      await reading.run('projections', 'rebuild');
      expect(await reading.lines('audit', '--limit', '10000')).toEqual([rows]);
    });

    it('sums the usage of any local tenant', async () => {
      type Usage = { readonly live: { readonly compactions: { readonly completed: number } } };
      const usage = await reading.one<Usage>('usage', '--by', 'tenant');
      const completed = (await reading.lines<EventLine>('events', imported.session)).filter(
        ({ type }) => type === 'CompactionCompleted',
      );
      expect(usage).toMatchObject({
        live: { compactions: { completed: completed.length, countedSaved: 0 } },
        groups: [{ key: 'default', source: 'live' }],
      });
    });

    it('keeps protected turns while there is room below the trigger, and reports it', async () => {
      expect(await reading.one<object>('compact', imported.session)).toMatchObject({
        outcome: 'skipped',
        plan: null,
        reason: { rule: 'nothing-to-drop' },
      });
    });

    it('plans, compacts, and explains why it does not compact again', async () => {
      await reading.one('settings', imported.session, '--set', 'keepRecentTurns=1');
      const plan = await reading.one<{ plan: object | null }>('compact', imported.session, '--dry-run');
      const done = await reading.one<{ plan: object | null; outcome: string }>('compact', imported.session);
      expect(done.plan).toEqual(plan.plan);
      const again = await reading.one<{ plan: object | null; outcome: string }>('compact', imported.session);
      expect([done.outcome, again.outcome]).toEqual(['completed', 'skipped']);
    });
  });

  it('rejects an unknown name in one line', async () => {
    const { exitCode, stdout, stderr } = await folder.attempt('context', 'nobody');
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(/^palimpsest: .*nobody.*\[session-not-found\]\n$/);
  });
});
