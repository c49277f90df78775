import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { contentOf, onCopyOf, type Sample } from './sample.js';

const DATABASE = 'events.mdb';
const JOURNALS = ['journal-0', 'journal-1'] as const;
const MARK = 'log-end';
const FILES = [DATABASE, MARK, ...JOURNALS] as const;
/** The newest of the files that name the folder's owner, with any number. */
const LOCK = 'owner';
const KINDS = ['removed', 'emptied', 'cut', 'older', 'foreign', 'flipped'] as const;
/** Files that are replaced together, as by a backup that was restored in part. */
const SETS: readonly (readonly File[])[] = [
  [DATABASE, ...JOURNALS],
  [DATABASE, MARK],
  [MARK, ...JOURNALS],
  [...JOURNALS],
];

type File = (typeof FILES)[number] | typeof LOCK;
export type Damage = {
  readonly files: readonly File[];
  readonly kind: (typeof KINDS)[number];
  /** Where in each file, as a share of its length from 0 to 1. */
  readonly place: number;
};

/** A damaged name of an owner may be that of a process which runs. */
const REFUSALS: readonly string[] = ['data-folder-damaged', 'data-folder-in-use'];

type Verdict = 'refused' | 'noticed by a read' | 'harmless' | 'silently wrong';

/** Outcome for a damaged copy of `sample`. */
export const verdictOn = (sample: Sample, damage: Damage): Promise<Verdict> =>
  onCopyOf(sample.folder, async (copy) => {
    damageFiles(sample, copy, damage);
    try {
      return (await contentOf(copy)) === sample.content ? 'harmless' : 'silently wrong';
    } catch (fault) {
      if (fault instanceof Error && 'code' in fault && REFUSALS.includes(String(fault.code)))
        return 'refused';
      if (fault instanceof Error && /damaged/.test(fault.message)) return 'noticed by a read';
      throw fault;
    }
  });

export const damageFiles = (sample: Sample, copy: string, { files, kind, place }: Damage): void => {
  for (const file of files) damageFile(sample, copy, { file, kind, place });
};

const damageFile = (
  sample: Sample,
  copy: string,
  { file, kind, place }: Pick<Damage, 'kind' | 'place'> & { readonly file: File },
): void => {
  const path = join(copy, nameOf(copy, file));
  if (kind === 'removed') rmSync(path, { force: true });
  else if (kind === 'emptied') truncateSync(path);
  else if (kind === 'cut') truncateSync(path, Math.floor(statSync(path).size * place));
  else if (kind === 'older') replaceFile(join(sample.older, nameOf(sample.older, file)), path);
  else if (kind === 'foreign') replaceFile(join(sample.foreign, nameOf(sample.foreign, file)), path);
  else flipBit(path, place);
};

/** A file that the other folder lacks goes with it. */
const replaceFile = (from: string, to: string): void => {
  if (existsSync(from)) copyFileSync(from, to);
  else rmSync(to, { force: true });
};

const nameOf = (folder: string, file: File): string => {
  if (file !== LOCK) return file;
  const numbers = readdirSync(folder).flatMap((name) => /^owner\.(\d+)$/.exec(name)?.[1] ?? []);
  return `${LOCK}.${Math.max(...numbers.map(Number))}`;
};

const flipBit = (path: string, place: number): void => {
  const bits = statSync(path).size * 8;
  if (bits === 0) return;
  const bit = Math.min(bits - 1, Math.floor(bits * place));
  const descriptor = openSync(path, 'r+');
  const byte = Buffer.alloc(1);
  readSync(descriptor, byte, 0, 1, bit >> 3);
  byte[0] = (byte[0] ?? 0) ^ (1 << (bit & 7));
  writeSync(descriptor, byte, 0, 1, bit >> 3);
  closeSync(descriptor);
};

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
const randomOf = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/**
 * Every kind once for every file, in the middle of it, and sets of files from another time or log; then flips and cuts by
 * seed. The owner's file comes last of the fixed ones: a damaged one may cost a start ten seconds.
 */
export const damages = (count: number, seed: number): Damage[] => {
  const random = randomOf(seed);
  const each = FILES.flatMap((file) => KINDS.map((kind): Damage => ({ files: [file], kind, place: 0.5 })));
  const sets = SETS.flatMap((files) =>
    (['older', 'foreign'] as const).map((kind): Damage => ({ files, kind, place: 0 })),
  );
  const locks = KINDS.map((kind): Damage => ({ files: [LOCK], kind, place: 0.5 }));
  const fixed = [...each, ...sets, ...locks];
  const more = Array.from({ length: Math.max(0, count - fixed.length) }, (): Damage => {
    const file = FILES[Math.floor(random() * FILES.length)] ?? DATABASE;
    return { files: [file], kind: random() < 0.8 ? 'flipped' : 'cut', place: random() };
  });
  return [...fixed, ...more].slice(0, count);
};
