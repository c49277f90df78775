import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { firstKeyKeeper } from './first-key.js';

const KEY = 'pal_000000000000_secret';

describe('the first key', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'palimpsest-first-key-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('is printed once on a terminal and not written to a file', async () => {
    const printed: string[] = [];
    const keeper = firstKeyKeeper(folder, (text) => printed.push(text));
    await (await keeper.prepare())(KEY);
    expect(printed.join('').split(KEY)).toHaveLength(2);
    expect(keeper.file()).toBeUndefined();
  });

  it('is written to a file of mode 0600 without a terminal', async () => {
    const keeper = firstKeyKeeper(join(folder, 'new'), undefined);
    await (await keeper.prepare())(KEY);
    const file = keeper.file() ?? '';
    expect(await readFile(file, 'utf8')).toBe(`${KEY}\n`);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('is not issued if its file cannot be written', async () => {
    await writeFile(join(folder, 'file'), '');
    const keeper = firstKeyKeeper(join(folder, 'file'), undefined);
    await expect(keeper.prepare()).rejects.toMatchObject({ code: 'key-file-unwritable' });
  });
});
