import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CliFolder } from '../support/cli.js';
import type { ImportLine } from '../support/cli-shapes.js';

const SAMPLE = fileURLToPath(new URL('../../samples/agent-session.json', import.meta.url));
const LONG = 'continuous integration of the team that works on the web application';

/** Guarantee: tables fit the terminal, and counts agree with their nouns. */
describe('tables on a terminal', () => {
  let folder: CliFolder;
  let session: string;
  beforeAll(async () => {
    folder = await CliFolder.shared();
    session = (await folder.one<ImportLine>('import', SAMPLE, '--window', '32k', '--label', `team=${LONG}`))
      .session;
    await folder.one('settings', session, '--title', LONG, '--project', LONG);
    await folder.run('keys', 'add', '--role', 'admin', '--label', LONG, '--expires', '2099-01-01');
    await folder.run('keys', 'add', '--role', 'agent', '--permission', 'content:read');
    await folder.run('summarizers', 'set', 'own', 'extractive', ...Array(7).fill('extractive'));
    await folder.attempt('export', session, '--why', LONG);
  });
  afterAll(() => folder.remove());

  const linesAt = async (width: number, ...command: readonly string[]): Promise<readonly string[]> => {
    const sized = folder.with({ COLUMNS: String(width) });
    const { exitCode, stdout } = await sized.attempt(...command);
    expect(exitCode).toBe(0);
    return stdout.trimEnd().split('\n');
  };

  it.each([
    ['sessions'],
    ['usage'],
    ['usage --by model'],
    ['keys list'],
    ['reads'],
    ['audit'],
    ['profiles'],
    ['profiles show core'],
    ['models'],
    ['prompts'],
    ['projections list'],
    ['tenants list'],
    ['summarizers list'],
    ['settings SESSION'],
  ])('of %j are not wider than 80 or 120 columns', async (line) => {
    const command = line.replace('SESSION', session).split(' ');
    for (const width of [80, 120]) {
      const lines = await linesAt(width, ...command);
      expect(lines.length).toBeGreaterThan(1);
      expect(lines.filter(({ length }) => length > width)).toEqual([]);
    }
  });

  it.each([
    ['usage', ['day', 'billed tokens', 'cost', 'compactions', 'compaction cost']],
    ['keys list', ['keyId', 'role', 'state', 'expiresAt', 'label']],
    ['reads', ['recordedAt', 'actor', 'endpoint', 'session', 'rows']],
    ['audit', ['recordedAt', 'type', 'session', 'revision', 'actor']],
  ])('of %j keep their most important columns at 80', async (line, names) => {
    const [head = ''] = await linesAt(80, ...line.split(' '));
    expect(head.split(/ {2,}/)).toEqual(expect.arrayContaining(names));
  });

  it('keep a gap between the name of a setting and its value', async () => {
    const lines = await linesAt(80, 'settings', session);
    expect(lines).toContainEqual(expect.stringMatching(/^providerContextManagement {2,}"none"$/));
    expect(lines).toContainEqual(expect.stringMatching(/^maxResultTokensPerMessage {2,}50000$/));
  });

  it('report no match instead of printing the header only', async () => {
    expect(await linesAt(80, 'audit', '--session', 'nope')).toEqual(['no audit rows match']);
    expect(await linesAt(80, 'reads', '--actor', 'nope')).toEqual(['no reads match']);
  });

  it('are limited to one row in the singular', async () => {
    const { stderr } = await folder.attempt('audit', '--limit', '1');
    expect(stderr).toMatch(/^limited to 1 row: --limit shows more/);
    expect((await folder.attempt('reads', '--limit', '1')).stderr).toMatch(/^limited to the newest 1 read:/);
  });
});
