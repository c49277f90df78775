import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CliFolder } from '../support/cli.js';

type Listed = { readonly keyId: string; readonly permissions: readonly string[]; readonly issuedBy: string };
type Read = {
  readonly endpoint: string;
  readonly session: string | null;
  readonly revisions: { readonly from: number; readonly to: number } | null;
  readonly reason: string | null;
};

const MESSAGES = Array.from({ length: 70 }, (_, at) => ({
  id: `m${at}`,
  role: at % 2 === 0 ? 'user' : 'assistant',
  content: `Message ${at}.`,
}));

/** Guarantee: the local command line also records reads of text, shows keys once, and reports truncation. */
describe('access on the command line', () => {
  let folder: CliFolder;
  beforeAll(async () => {
    folder = await CliFolder.shared();
    const file = join(folder.data, 'messages.json');
    await writeFile(file, JSON.stringify(MESSAGES));
    await folder.run('open', 's', '--window', '50k');
    await folder.run('append', 's', file, '--complete-turn');
  });
  afterAll(() => folder.remove());

  it.each([
    ['export', ['s'], { to: 71 }],
    ['events', ['s', '--from', '3'], { from: 3, to: 71 }],
    ['context', ['s', '--as-of', '9'], { from: 0, to: 9 }],
    ['diff', ['s', '4', '8', '--content'], { from: 0, to: 8 }],
    ['message', ['s', 'm1'], { from: 0 }],
  ] as const)(
    'records the text that %s has shown, with revisions and reason',
    async (command, args, revisions) => {
      await folder.run(command, ...args, '--why', `case ${command}`);
      const reads = await folder.lines<Read>('reads', '--kind', 'content', '--session', 's');
      expect(reads[0]).toMatchObject({
        ...{ endpoint: `palimpsest ${command}`, session: 's', reason: `case ${command}`, actor: 'cli' },
        revisions,
      });
    },
  );

  it('records no read of text without shown text, and records reads of facts as such', async () => {
    const before = await folder.lines<Read>('reads', '--kind', 'content');
    await folder.run('diff', 's', '4', '8');
    await folder.run('audit', '--session', 's', '--limit', '3');
    expect(await folder.lines<Read>('reads', '--kind', 'content')).toEqual(before);
    const facts = await folder.lines<Read>('reads', '--kind', 'audit');
    expect(facts).toContainEqual(
      expect.objectContaining({
        endpoint: 'palimpsest audit',
        filters: expect.objectContaining({ session: 's' }),
        rows: 3,
      }),
    );
  });

  it('exports every row of the audit, and reports a truncated table', async () => {
    const csv = await folder.attempt('audit', '--session', 's', '--format', 'csv');
    expect(csv.stderr).toBe('');
    const rows = csv.stdout.trimEnd().split('\r\n').length - 1;
    expect(rows).toBeGreaterThan(MESSAGES.length);
    const all: readonly object[] = JSON.parse(await folder.run('audit', '--session', 's'));
    expect(all).toHaveLength(rows);
    const table = await folder.attempt('audit', '--session', 's');
    expect(table.stdout.trimEnd().split('\n')).toHaveLength(51);
    expect(table.stderr).toMatch(/^limited to 50 rows: .*--format csv/);
    const sessions = await folder.attempt('sessions');
    expect(sessions.stderr).toBe('');
  });

  it('finds decisions about the tenant in the audit', async () => {
    const key = await folder.one<Listed>('keys', 'add', '--role', 'agent', '--label', 'audited');
    const [row, ...others]: readonly object[] = JSON.parse(
      await folder.run('audit', '--type', 'ApiKeyIssued'),
    );
    expect(row).toMatchObject({
      session: null,
      actor: 'cli',
      payload: { keyId: key.keyId, label: 'audited' },
    });
    expect(others).toEqual([]);
    expect(await folder.one<readonly object[]>('tenants', 'list')).toContainEqual(
      expect.objectContaining({ tenant: 'default' }),
    );
  });

  it('prints a key alone, so that scripts can read it', async () => {
    const { stdout, stderr } = await folder.attempt('keys', 'add', '--role', 'auditor');
    expect(stdout).toMatch(/^pal_\w+\n$/);
    expect(stderr).toContain('not shown again');
    expect(stderr).not.toContain('pal_');
  });

  it('writes a key to a new file for its owner only, and issues none if the file exists', async () => {
    const file = join(folder.data, 'auditor.key');
    const create = ['keys', 'add', '--role', 'auditor', '--permission', 'content:read', '--key-file', file];
    const { stdout, exitCode } = await folder.attempt(...create);
    expect(exitCode).toBe(0);
    expect(stdout).not.toMatch(/pal_\w{13}/);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file, 'utf8')).toMatch(/^pal_\w+\n$/);
    const list = async () => JSON.parse(await folder.run('keys', 'list')) as readonly Listed[];
    const before = await list();
    expect(before.at(-1)).toMatchObject({ permissions: ['content:read'], issuedBy: 'cli' });
    expect(await folder.attempt(...create)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('[key-file-unwritable]'),
    });
    expect(await list()).toEqual(before);
  });
});
