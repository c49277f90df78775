import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, mkdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { spawnPostgres } from '@app/embedded-postgres';
import { isOpenToAll, UNPRIVILEGED } from '../../support/open-to-all.js';
import { answerOf, isRoot, memory, query, remember, Started, userOf } from './support.js';

const root = resolve(import.meta.dirname, '../../..');
const asNobody = { uid: UNPRIVILEGED, gid: UNPRIVILEGED };
const hasSetpriv = spawnSync('setpriv', ['--version']).status === 0;

const asRoot = isRoot && hasSetpriv ? describe : describe.skip;

asRoot('embedded PostgreSQL as root', () => {
  const started = new Started();
  afterEach(() => started.end());

  it('runs as another user below a folder that only root may enter', async () => {
    const closed = started.folder();
    const dataDir = join(closed, 'deep', 'data');
    const before = statSync(closed);
    const server = await started.server(spawnPostgres({ dataDir }));
    await remember(server.url, 'kept');
    expect(userOf(server.pid)).toBe(UNPRIVILEGED);
    expect(statSync(dataDir).uid).toBe(UNPRIVILEGED);
    const { mode, uid, gid } = statSync(closed);
    expect({ mode, uid, gid }).toEqual({ mode: before.mode, uid: before.uid, gid: before.gid });
    await server.stop();
    expect(await memory((await started.server(spawnPostgres({ dataDir }))).url)).toEqual([{ word: 'kept' }]);
  });

  it('runs in a folder created by mktemp', async () => {
    const dataDir = started.folder();
    const { pid } = await started.server(spawnPostgres({ dataDir }));
    expect(userOf(pid)).toBe(UNPRIVILEGED);
  });

  const ofNobody = async (): Promise<string> => {
    const home = started.folder();
    chmodSync(home, 0o755);
    chownSync(home, UNPRIVILEGED, UNPRIVILEGED);
    const dataDir = join(home, '.palimpsest', 'postgres');
    const server = await started.server(spawnPostgres({ dataDir }));
    await remember(server.url, 'by root');
    await server.stop();
    return dataDir;
  };

  it('runs as the owner of the enclosing folder', async () => {
    expect(statSync(dirname(await ofNobody())).uid).toBe(UNPRIVILEGED);
  });

  (isOpenToAll() ? it : it.skip)('leaves the folder usable for them without root', async () => {
    const dataDir = await ofNobody();
    const { url } = await answerOf(started.holder(dataDir, asNobody));
    expect(await memory(url)).toEqual([{ word: 'by root' }]);
  });

  it('accepts a folder that root has restored from a backup', async () => {
    const dataDir = join(started.folder(), 'data');
    const server = await started.server(spawnPostgres({ dataDir }));
    await remember(server.url, 'kept');
    await server.stop();
    const restored = join(started.folder(), 'restored');
    expect(spawnSync('cp', ['-r', dataDir, restored]).status).toBe(0);
    chmodSync(join(restored, 'cluster'), 0o700);
    expect(await memory((await started.server(spawnPostgres({ dataDir: restored }))).url)).toEqual([
      { word: 'kept' },
    ]);
  });

  it('runs from an installation that only root may enter, and that lacks npm’s links', async () => {
    const closed = started.folder();
    const dist = join(closed, 'dist');
    for (const lib of ['kernel', 'embedded-postgres']) {
      cpSync(join(root, 'dist/libs', lib), join(dist, 'libs', lib), { recursive: true });
    }
    cpSync(join(root, 'dist/programs'), join(dist, 'programs'), { recursive: true });
    cpSync(join(root, 'package.json'), join(closed, 'package.json'));
    const name = `@embedded-postgres/${process.platform}-${process.arch}`;
    const packaged = dirname(dirname(createRequire(import.meta.url).resolve(name)));
    const copy = join(closed, 'node_modules', name);
    mkdirSync(dirname(copy), { recursive: true });
    cpSync(packaged, copy, { recursive: true, verbatimSymlinks: true });
    rmSync(join(copy, 'native/lib/libicuuc.so.60'));
    const env = { ...process.env, PALIMPSEST_DIST: dist };

    const { url, pid } = await answerOf(started.holder(join(closed, 'data'), { env }));
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(userOf(pid)).toBe(UNPRIVILEGED);
  });

  it('names a remedy if no user can run it', async () => {
    const closed = started.folder();
    const tools = started.folder();
    symlinkSync(spawnSync('which', ['id'], { encoding: 'utf8' }).stdout.trim(), join(tools, 'id'));
    const env = { ...process.env, PATH: tools };
    const answer = await answerOf(started.holder(join(closed, 'data'), { env }));
    expect(answer.code).toBe('data-folder-unusable');
  });
});

(isRoot && isOpenToAll() ? describe : describe.skip)('embedded PostgreSQL as an ordinary user', () => {
  const started = new Started();
  afterEach(() => started.end());

  it('runs as the same user', async () => {
    const home = started.folder();
    chownSync(home, UNPRIVILEGED, UNPRIVILEGED);
    const dataDir = join(home, 'data');
    const { url, pid } = await answerOf(started.holder(dataDir, asNobody));
    expect(userOf(pid)).toBe(UNPRIVILEGED);
    await remember(url, 'kept');
    expect(await memory(url)).toEqual([{ word: 'kept' }]);
  });

  it('rejects a folder of another user', async () => {
    const { code } = await answerOf(started.holder(join(started.folder(), 'data'), asNobody));
    expect(code).toBe('data-folder-unusable');
  });
});
