import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findFiles } from '../find-files.js';
import { chosen } from './choose.js';
import { discover, sourcesOf, unreadDatabases } from './discover.js';

const home = mkdtempSync(join(tmpdir(), 'palimpsest-discover-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

let second = 0;
const write = (path: string, content: object | string): string => {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : `${JSON.stringify(content)}\n`);
  second += 1;
  utimesSync(file, 1_700_000_000 + second, 1_700_000_000 + second);
  return file;
};
const at = '2026-01-02T03:04:05.000Z';
const claude = {
  type: 'user',
  uuid: 'u',
  parentUuid: null,
  sessionId: 'claude-1',
  cwd: '/src/a',
  timestamp: at,
};
write('.claude/projects/-work-a/claude-1.jsonl', { ...claude, message: { role: 'user', content: 'hello' } });
write('.claude/projects/-work-a/claude-1/subagents/agent-b.jsonl', { ...claude, isSidechain: true });
write('.claude/projects/-work-a/claude-1/subagents/workflows/w/agent-d.jsonl', {
  ...claude,
  isSidechain: true,
});
write('.claude/projects/-work-a/claude-1/subagents/workflows/w/journal.jsonl', { type: 'started', key: 'k' });
write('.claude/projects/-work-a/agent-c.jsonl', { ...claude, isSidechain: true });
write('.claude/projects/-work-a/agent-e.jsonl', { ...claude, sessionId: 'claude-0', isSidechain: true });
write('.codex/sessions/2026/01/02/rollout-x.jsonl', {
  timestamp: at,
  type: 'session_meta',
  payload: { id: 'codex-1', timestamp: at, cwd: '/src/b' },
});
write('pi/sessions/--src--/x.jsonl', { type: 'session', id: 'pi-1', timestamp: at, cwd: '/src/c' });
write('.gemini/tmp/h/.project_root', '/src/d');
write(
  '.gemini/tmp/h/chats/session-x.json',
  JSON.stringify({ sessionId: 'gemini-1', projectHash: 'h', startTime: at }, null, 2),
);
write('data/opencode/storage/session/p/ses_1.json', {
  id: 'ses_1',
  directory: '/src/e',
  time: { created: 1_767_323_045_000 },
});
for (const message of ['msg_1', 'msg_2']) {
  write(`data/opencode/storage/message/ses_1/${message}.json`, {
    id: message,
    sessionID: 'ses_1',
    role: 'user',
    time: { created: 1_767_323_045_000 },
  });
  write(`data/opencode/storage/part/${message}/prt_1.json`, { id: 'prt_1', type: 'text', text: 'hello' });
}
const env = { XDG_DATA_HOME: join(home, 'data'), PI_CODING_AGENT_DIR: join(home, 'pi'), CODEX_HOME: '' };

describe('transcripts of agents on this computer', () => {
  it('is listed, that which was used last first', async () => {
    expect(await discover(home, env)).toMatchObject([
      { agent: 'opencode', id: 'ses_1', project: '/src/e', startedAt: '2026-01-02T03:04:05.000Z' },
      { agent: 'gemini-cli', id: 'gemini-1', project: '/src/d', startedAt: at },
      { agent: 'pi', id: 'pi-1', project: '/src/c' },
      { agent: 'codex', id: 'codex-1', project: '/src/b' },
      { agent: 'claude-code', id: 'claude-1', project: '/src/a', size: expect.any(Number), startedAt: at },
    ]);
  });

  it('is elsewhere, where the environment says so, and nothing where there is nothing', async () => {
    const elsewhere = { ...env, CLAUDE_CONFIG_DIR: join(home, 'none'), CODEX_HOME: join(home, 'none') };
    expect((await discover(home, elsewhere)).map(({ agent }) => agent)).toEqual([
      'opencode',
      'gemini-cli',
      'pi',
    ]);
    expect(await discover(join(home, 'none'), {})).toEqual([]);
  });

  it('may be packed, or in a database that is named', async () => {
    const codex = join(home, 'packed');
    write('packed/sessions/2026/01/rollout-1.jsonl.zst', '(packed)');
    write('packed/opencode/opencode.db', 'SQLite format 3');
    write('packed/pi/x.jsonl', { type: 'session', id: 'pi-2', timestamp: at, cwd: '/src/c' });
    const elsewhere = { CODEX_HOME: codex, PI_CODING_AGENT_SESSION_DIR: join(codex, 'pi') };
    expect(await discover(join(home, 'none'), elsewhere)).toMatchObject([
      { agent: 'pi', id: 'pi-2' },
      { agent: 'codex', id: 'rollout-1' },
    ]);
    expect(await unreadDatabases(home, { XDG_DATA_HOME: codex })).toEqual([
      join(codex, 'opencode', 'opencode.db'),
    ]);
  });

  it('is chosen by number, id, or the beginning of an id', async () => {
    const sessions = await discover(home, env);
    expect(chosen(sessions, ['2', 'codex-1', 'cla', '2']).map(({ id }) => id)).toEqual([
      'gemini-1',
      'codex-1',
      'claude-1',
    ]);
    for (const wrong of ['6', '0', 'c', 'nothing'])
      expect(() => chosen(sessions, [wrong])).toThrow(/--discover/);
  });

  it('has the sub-agents of a session behind it, and a session in many files as one transcript', async () => {
    const sessions = await discover(home, env);
    const [claudeCode] = chosen(sessions, ['claude-1']).map(sourcesOf);
    expect((await claudeCode)?.map(({ name }) => name)).toEqual([
      expect.stringMatching(/claude-1\.jsonl$/),
      expect.stringMatching(/agent-b\.jsonl$/),
      expect.stringMatching(/agent-d\.jsonl$/),
      expect.stringMatching(/agent-c\.jsonl$/),
    ]);
    const [openCode] = (await Promise.all(chosen(sessions, ['ses_1']).map(sourcesOf))).flat();
    const chunks: Uint8Array[] = [];
    for await (const chunk of openCode?.bytes() ?? []) chunks.push(chunk);
    const document = JSON.parse(Buffer.concat(chunks).toString());
    expect(document).toMatchObject({
      info: { id: 'ses_1' },
      messages: [{ info: { id: 'msg_1' }, parts: [{ text: 'hello' }] }, {}],
    });
  });
});

describe('the files that are named', () => {
  it('are those of a folder, of a pattern, or the file itself', async () => {
    const folder = join(home, '.claude/projects');
    const names = async (named: string) => (await findFiles(named)).map((file) => file.split('projects/')[1]);
    expect(await names(folder)).toEqual([
      '-work-a/agent-c.jsonl',
      '-work-a/agent-e.jsonl',
      '-work-a/claude-1.jsonl',
      '-work-a/claude-1/subagents/agent-b.jsonl',
      '-work-a/claude-1/subagents/workflows/w/agent-d.jsonl',
      '-work-a/claude-1/subagents/workflows/w/journal.jsonl',
    ]);
    expect(await names(join(folder, '*/claude-*.jsonl'))).toEqual(['-work-a/claude-1.jsonl']);
    expect(await findFiles('missing.jsonl')).toEqual(['missing.jsonl']);
    await expect(findFiles(join(home, '*.nothing'))).rejects.toMatchObject({ code: 'unreadable-file' });
  });
});
