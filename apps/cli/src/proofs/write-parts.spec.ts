import { lstat, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeParts } from './write-parts.js';

async function* parts() {
  yield 'one ';
  yield 'two';
}

describe('a written file', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'write-parts-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('replaces the target of a link', async () => {
    await writeFile(join(folder, 'target'), 'old');
    await symlink('target', join(folder, 'link'));
    expect(await writeParts(join(folder, 'link'), parts())).toBe(7);
    expect(await readFile(join(folder, 'target'), 'utf8')).toBe('one two');
  });

  it('has a name that ends with .unfinished until it is complete', async () => {
    async function* seen() {
      for await (const part of parts()) {
        expect(await readdir(folder)).toEqual([expect.stringMatching(/^out\.json\.\w+\.unfinished$/)]);
        yield part;
      }
    }
    await writeParts(join(folder, 'out.json'), seen());
    expect(await readdir(folder)).toEqual(['out.json']);
  });

  it('never replaces a device', async () => {
    const link = join(folder, 'link');
    await symlink('/dev/null', link);
    await expect(writeParts(link, parts())).rejects.toMatchObject({ code: 'unwritable-file' });
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
    expect(await readdir(folder)).toEqual(['link']);
  });
});
