import {
  closeSync,
  copyFileSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { AppError } from '@app/kernel';
import { contentOf, onCopyOf, type Sample } from './folder.js';

const FILES = ['events.mdb', 'log-end', 'journal-0', 'journal-1'] as const;
const KINDS = ['removed', 'emptied', 'cut', 'older', 'foreign', 'flipped'] as const;
type Damage = {
  readonly file: (typeof FILES)[number];
  readonly kind: (typeof KINDS)[number];
  /** Where in the file, as a share of its length from 0 to 1. */
  readonly place: number;
};

type Verdict = 'refused' | 'noticed by a read' | 'harmless' | 'silently wrong';

/** What becomes of a copy of `sample` that is damaged. */
export const verdictOn = (sample: Sample, damage: Damage): Promise<Verdict> =>
  onCopyOf(sample.folder, async (copy) => {
    damageFile(sample, copy, damage);
    try {
      return (await contentOf(copy)) === sample.content ? 'harmless' : 'silently wrong';
    } catch (fault) {
      if (fault instanceof AppError && fault.code === 'data-folder-damaged') return 'refused';
      if (fault instanceof Error && /damaged/.test(fault.message)) return 'noticed by a read';
      throw fault;
    }
  });

export const damageFile = (sample: Sample, copy: string, { file, kind, place }: Damage): void => {
  const path = join(copy, file);
  if (kind === 'removed') rmSync(path);
  else if (kind === 'emptied') truncateSync(path);
  else if (kind === 'cut') truncateSync(path, Math.floor(statSync(path).size * place));
  else if (kind === 'older') copyFileSync(join(sample.older, file), path);
  else if (kind === 'foreign') copyFileSync(join(sample.foreign, file), path);
  else flipBit(path, place);
};

const flipBit = (path: string, place: number): void => {
  const bits = statSync(path).size * 8;
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

/** Every kind once for every file, in the middle of it; then flips and cuts by seed. */
export const damages = (count: number, seed: number): Damage[] => {
  const random = randomOf(seed);
  const each = FILES.flatMap((file) => KINDS.map((kind): Damage => ({ file, kind, place: 0.5 })));
  const more = Array.from({ length: Math.max(0, count - each.length) }, (): Damage => {
    const file = FILES[Math.floor(random() * FILES.length)] ?? 'events.mdb';
    return { file, kind: random() < 0.8 ? 'flipped' : 'cut', place: random() };
  });
  return [...each, ...more].slice(0, count);
};
