// Unusable data folders and full disks: reported in one line, without losses.
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawnEventStore } from '@app/embedded-event-store';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isOpenToAll, UNPRIVILEGED } from '../support/open-to-all.js';
import { expectRefused } from './support/expect-refused.js';
import { expectWhole } from './support/expect-whole.js';
import { Folders } from './support/folders.js';
import { type History, historyOf, imported } from './support/histories.js';
import { output, run } from './support/palimpsest.js';

const folders = new Folders();
const data = await folders.prepared();
let transcript: string;
let session: string;
let undisturbed: History;

const file = (name: string, content: string): string => {
  const path = join(folders.home, name);
  writeFileSync(path, content);
  return path;
};

beforeAll(async () => {
  transcript = folders.transcript(60);
  session = await imported(['import', '--data', data, '--window', '8k', transcript]);
  undisturbed = await historyOf(data, session);
});

afterAll(() => folders.remove());

describe('unusable data folder', () => {
  const refused = (folder: string, says: RegExp): Promise<void> =>
    expectRefused(['sessions', '--data', folder], says);

  it('is rejected if it is a file', () =>
    refused(file('a-file', ''), /choose another.*\[data-folder-unusable\]/));
  it('is rejected if it is below a file', () =>
    refused(join(file('b-file', ''), 'x'), /\[data-folder-unusable\]/));

  it.each<readonly [format: string, says: RegExp]>([
    ['{"format":99}', /newer version.*update.*\[data-folder-newer\]/],
    ['{"format":"x"}', /\[data-folder-unusable\]/],
    ['', /\[data-folder-unusable\]/],
  ])('is rejected if its format.json is %j', async (format, says) => {
    const folder = folders.next();
    mkdirSync(folder);
    writeFileSync(join(folder, 'format.json'), format);
    await refused(folder, says);
    expect(readdirSync(folder)).toEqual(['format.json']);
  });

  it('is rejected if a newer PostgreSQL wrote it', async () => {
    const folder = folders.next();
    cpSync(data, folder, { recursive: true });
    writeFileSync(join(folder, 'postgres/cluster/PG_VERSION'), '99\n');
    await refused(folder, /PostgreSQL 99.*\[data-folder-newer\]/);
  });

  const isRoot = process.geteuid?.() === 0;
  const unprivileged = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];
  (isRoot && !isOpenToAll() ? it.skip : it)('is rejected if this user has no write access', async () => {
    const folder = folders.next();
    mkdirSync(folder, { mode: 0o555 });
    chmodSync(folders.home, 0o755);
    const through = isRoot ? unprivileged : [];
    await expectRefused(['sessions', '--data', folder], /choose another.*\[data-folder-unusable\]/, {
      through,
    });
  });

  const backup = folders.next();
  const COMMANDS = [
    'sessions',
    'backup',
    'eventstore verify',
    'eventstore users list',
    'eventstore start --port 0',
  ];
  (isRoot && isOpenToAll() ? describe : describe.skip)('of another user', () => {
    const own = folders.next();
    const closed = folders.next();
    const parts = folders.next();
    beforeAll(() => {
      chmodSync(folders.home, 0o755);
      for (const folder of [closed, own, parts]) cpSync(data, folder, { recursive: true });
      mkdirSync(backup);
      chownSync(backup, UNPRIVILEGED, UNPRIVILEGED);
      chmodSync(closed, 0o700);
      chmodSync(own, 0o755);
      // As after one command with sudo.
      chownSync(parts, UNPRIVILEGED, UNPRIVILEGED);
    });

    it.each(COMMANDS)('is rejected by %s', async (command) => {
      const to = command === 'backup' ? [backup] : [];
      for (const folder of [closed, own, parts])
        await expectRefused(
          [...command.split(' '), ...to, '--data', folder],
          /(give this user|this user may) write.*\[data-folder-unusable\]/,
          { through: unprivileged },
        );
    });

    it('is reported by doctor', async () => {
      for (const folder of [closed, parts]) {
        const { stdout } = await run(['doctor', '--data', folder, '--json'], { through: unprivileged });
        expect(JSON.parse(stdout)).toContainEqual({
          ...{ check: 'data folder', status: 'fail', found: expect.stringContaining(folder) },
          advice: expect.stringMatching(/writ/),
        });
      }
    });
  });
});

/** Mounts a small file system; returns `undefined` if this user may not. */
const smallDisk = (): string | undefined => {
  const disk = join(folders.home, 'disk');
  mkdirSync(disk);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', disk], { stdio: 'ignore' });
    return disk;
  } catch {
    return undefined;
  }
};

describe('full disk', () => {
  const disk = smallDisk();
  const resize = (size: string): Buffer => execFileSync('mount', ['-o', `remount,size=${size}`, disk ?? '']);
  const used = (): number => {
    const [, row] = execFileSync('df', ['-k', '--output=used', disk ?? ''], { encoding: 'utf8' }).split('\n');
    return Number(row);
  };

  afterAll(() => {
    if (disk !== undefined) execFileSync('umount', [disk]);
  });

  (disk === undefined ? it.skip : it)('leaves no unfinished event log', async () => {
    for (const kilobytes of [20, 28, 36, 44, 52, 140]) {
      const dataDir = join(disk ?? '', `of ${kilobytes} KiB`);
      resize(`${used() + kilobytes}k`);
      await spawnEventStore({ dataDir }).then(
        (server) => server.stop(),
        (fault: unknown) => expect(fault).toMatchObject({ code: 'disk-full' }),
      );
      resize('500m');
      await (await spawnEventStore({ dataDir })).stop();
    }
  });

  (disk === undefined ? it.skip : it)(
    'is reported at every start and during an import, and leaves no trace once space is freed',
    async () => {
      const folder = join(disk ?? '', 'data');
      resize('8m');
      const importing = ['import', '--data', folder, '--window', '8k', transcript];
      await expectRefused(['sessions', '--data', folder], /make room.*\[disk-full\]/);
      resize('500m');
      expect(JSON.parse(await output(['sessions', '--data', folder, '--json']))).toEqual([]);

      resize(`${used() + 300}k`);
      await expectRefused(importing, /\[disk-full\]/);
      resize(`${used()}k`);
      await expectRefused(['sessions', '--data', folder], /\[disk-full\]/);
      resize('500m');
      await output(importing);
      await expectWhole(folder, session, undisturbed);
    },
  );
});
