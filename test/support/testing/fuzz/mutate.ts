/** A seeded random number from 0 up to, but excluding, 1. */
export type Random = () => number;

/** Mulberry32. */
export const randomFrom = (seed: number): Random => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** Returns a transcript after one to four random damages. */
export const mutated = (bytes: Buffer, random: Random): Buffer => {
  let changed = bytes;
  for (let left = 1 + Math.floor(random() * 4); left > 0; left -= 1) {
    const mutation = MUTATIONS[Math.floor(random() * MUTATIONS.length)];
    if (mutation && changed.length > 0) changed = mutation(changed, random);
  }
  return changed;
};

type Mutation = (bytes: Buffer, random: Random) => Buffer;

const placeIn = (bytes: Buffer, random: Random): number => Math.floor(random() * bytes.length);

const truncated: Mutation = (bytes, random) => bytes.subarray(0, placeIn(bytes, random));
const beheaded: Mutation = (bytes, random) => bytes.subarray(placeIn(bytes, random));

const flipped: Mutation = (bytes, random) => {
  const changed = Buffer.from(bytes);
  for (let left = 1 + Math.floor(random() * 8); left > 0; left -= 1) {
    const at = placeIn(bytes, random);
    changed[at] = (changed[at] ?? 0) ^ (1 << Math.floor(random() * 8));
  }
  return changed;
};

/** Replaces bytes by JSON's structural characters. */
const structural: Mutation = (bytes, random) => {
  const changed = Buffer.from(bytes);
  changed[placeIn(bytes, random)] = '{}[],:"\\\n\0'.charCodeAt(Math.floor(random() * 10));
  return changed;
};

const onLines =
  (change: (lines: string[], at: number, random: Random) => void): Mutation =>
  (bytes, random) => {
    const lines = bytes.toString('latin1').split('\n');
    change(lines, Math.floor(random() * lines.length), random);
    return Buffer.from(lines.join('\n'), 'latin1');
  };

const doubledLine = onLines((lines, at) => void lines.splice(at, 0, lines[at] ?? ''));
const swappedLines = onLines((lines, at, random) => {
  const other = Math.floor(random() * lines.length);
  [lines[at], lines[other]] = [lines[other] ?? '', lines[at] ?? ''];
});
const lostLine = onLines((lines, at) => void lines.splice(at, 1));
const tornLine = onLines((lines, at, random) => {
  const line = lines[at] ?? '';
  lines[at] = line.slice(0, Math.floor(random() * line.length));
});

/** Copies a part of the file to another offset. */
const spliced: Mutation = (bytes, random) => {
  const [from, at] = [placeIn(bytes, random), placeIn(bytes, random)];
  const part = bytes.subarray(from, from + Math.floor(random() * 2_000));
  return Buffer.concat([bytes.subarray(0, at), part, bytes.subarray(at)]);
};

const otherEncoding: Mutation = (bytes, random) => {
  const text = bytes.toString('utf8');
  if (random() < 0.3) return Buffer.from(text, 'latin1');
  const utf16 = Buffer.from(random() < 0.5 ? `\ufeff${text}` : text, 'utf16le');
  return random() < 0.5 ? utf16 : Buffer.concat([utf16.subarray(0, placeIn(utf16, random)), bytes]);
};

/** Replaces a value by a pathological one. */
const harsh: Mutation = (bytes, random) => {
  const text = bytes.toString('utf8');
  const values = [...text.matchAll(/(?<=":\s?)(?:"[^"\\]{0,200}"|-?\d+(?:\.\d+)?|true|false|null)/g)];
  const found = values[Math.floor(random() * values.length)];
  if (!found) return bytes;
  const value = HARSH[Math.floor(random() * HARSH.length)] ?? 'null';
  return Buffer.from(text.slice(0, found.index) + value + text.slice(found.index + found[0].length));
};
const HARSH = [
  'null',
  '""',
  '[]',
  '{}',
  '-1',
  '1e999',
  '9007199254740993',
  '123456789012345678901234567890',
  '"\\ud800"',
  '"__proto__"',
  '"9999-99-99T99:99:99Z"',
  `"${'x'.repeat(5_000)}"`,
  `${'['.repeat(3_000)}${']'.repeat(3_000)}`,
  `${'{"a":'.repeat(600)}1${'}'.repeat(600)}`,
  '{"__proto__":{"role":"user"}}',
];

const MUTATIONS: readonly Mutation[] = [
  truncated,
  beheaded,
  flipped,
  structural,
  doubledLine,
  swappedLines,
  lostLine,
  tornLine,
  spliced,
  otherEncoding,
  harsh,
  harsh,
  flipped,
];
