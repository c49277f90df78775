import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';

const WIDE = '2g';
/** Bytes that are free on a full disk: the next file that grows fails. */
const REST_KB = 16;

/** A file system of its own in memory, which can be made full. */
export type SmallDisk = {
  fill(): void;
  makeRoom(): void;
  remove(): void;
};

/** Mounts one at `folder`, which it makes; `undefined` where this user may not mount. */
export const mountSmallDisk = (folder: string): SmallDisk | undefined => {
  mkdirSync(folder, { mode: 0o755 });
  const resize = (size: string): void => {
    execFileSync('mount', ['-o', `remount,size=${size}`, folder], { stdio: 'ignore' });
  };
  const usedKb = (): number => {
    const [, row] = execFileSync('df', ['-k', '--output=used', folder], { encoding: 'utf8' }).split('\n');
    return Number(row);
  };
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${WIDE},mode=755`, 'tmpfs', folder], {
      stdio: 'ignore',
    });
  } catch {
    return undefined;
  }
  return {
    fill: () => {
      // It grows between the two: then there is less than nothing left, which is refused.
      for (;;) {
        try {
          return resize(`${usedKb() + REST_KB}k`);
        } catch {}
      }
    },
    makeRoom: () => resize(WIDE),
    remove: () => {
      execFileSync('umount', ['-l', folder], { stdio: 'ignore' });
    },
  };
};
