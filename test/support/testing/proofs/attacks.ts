import { Buffer } from 'node:buffer';
import { CHAIN_START, chainIn, sha256 } from '@app/proof';
import {
  type Checkpoint,
  cosign,
  formatCheckpoint,
  formatNote,
  parseCheckpoint,
  parseNote,
  signerKey,
  signText,
} from '@app/tlog';
import { type BundleParts, type Choices, SampleLog, writeBundle } from './sample-log.js';

/** A file, the policy it is verified with, and the outcomes that are right for it. */
export type ProofCase = {
  readonly name: string;
  readonly file: Uint8Array;
  readonly policy: string;
  readonly outcomes: readonly string[];
};

const SESSION = 's';

/** A log with two sessions, whose leaves alternate at random; erased and rotated at random. */
const sampleLog = (tenant: string, random: Choices): SampleLog => {
  const log = new SampleLog(tenant, random);
  for (let count = 4 + random.below(12); count > 0; count -= 1) {
    log.append(random.below(3) === 0 ? 'other' : SESSION);
    if (random.below(12) === 0) log.rotate();
  }
  log.append(SESSION);
  log.append(SESSION);
  return log;
};

/** Returns a bundle that must be valid. */
export const honestProof = (random: Choices): ProofCase => {
  const log = sampleLog('acme', random);
  const key = log.keysOf(SESSION)[random.below(2)];
  if (key !== undefined && random.below(3) === 0) log.erase(key);
  if (random.below(4) === 0) {
    log.eraseAll();
    log.wait(random.below(3) * 20);
    log.append(SESSION);
  }
  if (random.below(3) === 0) log.append('other');
  if (random.below(10) === 0) return honestlyCosigned(log, random);
  const content = random.below(4) === 0 ? 'sealed' : 'clear';
  const file = writeBundle(log.parts(SESSION, content));
  const quorum = random.below(2) === 0 ? 'witness' : 'none';
  return { name: 'honest', file: Buffer.from(file), policy: log.policy(quorum), outcomes: ['valid'] };
};

/** Two witnesses, one with a key for ML-DSA-44; some readers know the log by its second key alone. */
const honestlyCosigned = (log: SampleLog, random: Choices): ProofCase => {
  const isSecond = log.parts(SESSION).log.heads.length === 0 && random.below(2) === 0;
  const witnesses = random.below(2) === 0 ? [log.quantumWitness] : [log.witness, log.quantumWitness];
  const parts = log.cosignedParts(SESSION, ...(isSecond ? [log.second] : []), ...witnesses);
  const policy = log.policyOfTwo(witnesses.length > 1 ? 'all' : 'any', isSecond ? log.second : undefined);
  return { name: 'honest', file: Buffer.from(writeBundle(parts)), policy, outcomes: ['valid'] };
};

/** Returns a valid bundle of a session with this number of events. */
export const largeProof = (random: Choices, events: number): ProofCase => {
  const log = new SampleLog('acme', random);
  for (let count = 0; count < events; count += 1) log.append(SESSION);
  const file = Buffer.from(writeBundle(log.parts(SESSION)));
  return { name: 'large', file, policy: log.policy('witness'), outcomes: ['valid'] };
};

type Attack = (
  log: SampleLog,
  random: Choices,
) => { readonly file: string | Uint8Array; readonly policy?: string };
type Named = { readonly attack: Attack; readonly outcomes: readonly string[] };

const INVALID = ['invalid'];
/** A line of content may be left without its event, or without the key that another line has named. */
const BROKEN = ['invalid', 'malformed'];
const FOUND = ['invalid', 'incomplete', 'unknown-key', 'malformed'];

/** Attacks by those who can sign like the log; the file is signed after the change. */
const signed =
  (change: (parts: BundleParts, log: SampleLog, random: Choices) => Partial<BundleParts>): Attack =>
  (log, random) => {
    const parts = log.parts(SESSION);
    return { file: writeBundle({ ...parts, ...change(parts, log, random) }) };
  };

const counted = (parts: BundleParts, events: readonly string[]): Partial<BundleParts> => ({
  events,
  manifest: {
    ...parts.manifest,
    events: { first: 0, last: events.length - 1, count: events.length },
  },
});

const replaceAt = <Item>(items: readonly Item[], at: number, item: Item): readonly Item[] =>
  items.map((one, index) => (index === at ? item : one));

const other = (hash: string): string => {
  const bytes = Buffer.from(hash, 'base64');
  bytes[0] = (bytes[0] ?? 0) ^ 1;
  return bytes.toString('base64');
};

const flipped = (bytes: Uint8Array, random: Choices): Uint8Array => {
  const at = random.below(bytes.length);
  return bytes.map((byte, place) => (place === at ? byte ^ (1 << random.below(8)) : byte));
};

/** A witness has cosigned another checkpoint, and its cosignature stands under this one. */
const cosignedElsewhere = (log: SampleLog, random: Choices, instead: Partial<Checkpoint>) => {
  const witness = [log.witness, log.quantumWitness][random.below(2)] ?? log.witness;
  const parts = log.cosignedParts(SESSION);
  const { text, signatures } = parseNote(parts.log.checkpoint);
  const elsewhere = formatCheckpoint({ ...parseCheckpoint(text), ...instead });
  const checkpoint = formatNote({
    text,
    signatures: [...signatures, cosign(elsewhere, witness, 1_700_000_000)],
  });
  return {
    file: writeBundle({ ...parts, log: { ...parts.log, checkpoint } }),
    policy: log.policyOfTwo('any'),
  };
};

/** By name: attackers without a key first, and then those who can sign like the log. */
const ATTACKS: Readonly<Record<string, Named>> = {
  'flipped bit': {
    outcomes: FOUND,
    attack: (log, random) => {
      const file = Buffer.from(writeBundle(log.parts(SESSION)));
      const at = random.below(file.length);
      file[at] = (file[at] ?? 0) ^ (1 << random.below(8));
      return { file };
    },
  },
  'dropped line': {
    outcomes: FOUND,
    attack: (log, random) => {
      const lines = writeBundle(log.parts(SESSION)).split('\n');
      return { file: lines.toSpliced(random.below(lines.length - 1), 1).join('\n') };
    },
  },
  'tail cut': {
    outcomes: ['incomplete'],
    attack: (log, random) => {
      const lines = writeBundle(log.parts(SESSION)).split('\n');
      const kept = 3 + random.below(lines.length - 5);
      return { file: `${lines.slice(0, kept).join('\n')}\n` };
    },
  },
  'bytes behind the signature': {
    outcomes: ['malformed'],
    attack: (log, random) => {
      const more = ['{"sealed":""}\n', '{', ' '][random.below(3)];
      return { file: `${writeBundle(log.parts(SESSION))}${more}` };
    },
  },
  'note beside the signature': {
    outcomes: ['malformed'],
    attack: (log) => ({ file: writeBundle(log.parts(SESSION)).replace(/\}\n$/, ',"note":""}\n') }),
  },
  'nested too deeply': {
    outcomes: ['malformed'],
    attack: (log, random) => {
      const depth = 601 + random.below(100_000);
      const deep = `{"blob":${'['.repeat(depth)}${']'.repeat(depth)}}`;
      return { file: writeBundle(log.parts(SESSION)).replace('\n{"id":', `\n${deep}\n{"id":`) };
    },
  },
  'edited manifest': {
    outcomes: INVALID,
    attack: (log) => ({
      file: writeBundle(log.parts(SESSION)).replace('"profile":"core"', '"profile":"pivot"'),
    }),
  },
  'dropped event': {
    outcomes: BROKEN,
    attack: signed((parts, _, random) =>
      counted(parts, parts.events.toSpliced(random.below(parts.events.length - 1), 1)),
    ),
  },
  'inserted event': {
    outcomes: BROKEN,
    attack: signed((parts, _, random) => {
      const at = random.below(parts.events.length);
      return counted(parts, parts.events.toSpliced(at, 0, parts.events[at] ?? ''));
    }),
  },
  'reordered events': {
    outcomes: BROKEN,
    attack: signed((parts) => {
      const [first = '', second = '', ...rest] = parts.events;
      return { events: [second, first, ...rest] };
    }),
  },
  'changed event': {
    outcomes: BROKEN,
    attack: signed((parts, _, random) => {
      const at = random.below(parts.events.length);
      return { events: replaceAt(parts.events, at, (parts.events[at] ?? '').replace('"note":', '"note":1')) };
    }),
  },
  'swapped between tenants': {
    outcomes: BROKEN,
    attack: signed((parts, _, random) => {
      const theirs = sampleLog('rival', random).parts(SESSION);
      const at = random.below(Math.min(parts.events.length, theirs.events.length));
      return { events: replaceAt(parts.events, at, theirs.events[at] ?? '') };
    }),
  },
  'another session in the manifest': {
    outcomes: INVALID,
    attack: signed(({ manifest }) => ({ manifest: { ...manifest, session: 'other' } })),
  },
  'text left out': {
    outcomes: INVALID,
    attack: (log, random) => {
      const digest = Buffer.from(sha256(`text ${random.below(1_000)}`), 'base64').toString('hex');
      log.append(SESSION, [{ path: ['note'], digest, mediaType: 'application/json' }]);
      return { file: writeBundle(log.parts(SESSION)) };
    },
  },
  'log of another tenant': {
    outcomes: ['invalid', 'unknown-key'],
    attack: signed((_, __, random) => {
      const { log, inclusion } = sampleLog('rival', random).parts(SESSION);
      return { log, inclusion };
    }),
  },
  'forged inclusion': {
    outcomes: INVALID,
    attack: (log, random) => {
      log.append('other');
      const parts = log.parts(SESSION);
      const { siblings } = parts.inclusion;
      const at = random.below(siblings.length);
      const forged = replaceAt(siblings, at, other(siblings[at] ?? ''));
      return { file: writeBundle({ ...parts, inclusion: { ...parts.inclusion, siblings: forged } }) };
    },
  },
  'moved leaf': {
    outcomes: INVALID,
    attack: signed(({ inclusion }) => ({ inclusion: { ...inclusion, index: inclusion.index + 1 } })),
  },
  'forged consistency': {
    outcomes: INVALID,
    attack: (log) => {
      log.rotate();
      log.append('other');
      log.append(SESSION);
      const parts = log.parts(SESSION);
      const heads = parts.log.heads.map((head) => ({ ...head, proof: head.proof.map(other) }));
      return { file: writeBundle({ ...parts, log: { ...parts.log, heads } }) };
    },
  },
  'forked tree': {
    outcomes: INVALID,
    attack: (log, random) => {
      log.rotate();
      const { heads } = log.parts(SESSION).log;
      const at = 1 + random.below(log.entries.length - 2);
      const forked = log.entries[at];
      if (forked) log.entries[at] = { ...forked, text: `${forked.text}forked\n` };
      log.append('other');
      const parts = log.parts(SESSION);
      const old = parts.log.heads.map((head, index) => ({
        ...head,
        checkpoint: heads[index]?.checkpoint ?? '',
      }));
      return { file: writeBundle({ ...parts, log: { ...parts.log, heads: old } }) };
    },
  },
  'replayed cosignature': {
    outcomes: INVALID,
    attack: (log) => {
      const before = parseNote(log.checkpoint()).signatures.slice(-1);
      log.append(SESSION);
      const parts = log.parts(SESSION);
      const { text, signatures } = parseNote(parts.log.checkpoint);
      const checkpoint = formatNote({ text, signatures: [...signatures.slice(0, -1), ...before] });
      return {
        file: writeBundle({ ...parts, log: { ...parts.log, checkpoint } }),
        policy: log.policy('witness'),
      };
    },
  },
  'no witness': {
    outcomes: ['incomplete'],
    attack: (log) => {
      const parts = log.parts(SESSION);
      const { text, signatures } = parseNote(parts.log.checkpoint);
      const checkpoint = formatNote({ text, signatures: signatures.slice(0, -1) });
      return {
        file: writeBundle({ ...parts, log: { ...parts.log, checkpoint } }),
        policy: log.policy('witness'),
      };
    },
  },
  'forged cosignature': {
    outcomes: INVALID,
    attack: (log, random) => {
      const parts = log.cosignedParts(
        SESSION,
        [log.witness, log.quantumWitness][random.below(2)] ?? log.witness,
      );
      const { text, signatures } = parseNote(parts.log.checkpoint);
      const forged = signatures.map((one, at) =>
        at === 0 ? one : { ...one, bytes: flipped(one.bytes, random) },
      );
      const checkpoint = formatNote({ text, signatures: forged });
      return {
        file: writeBundle({ ...parts, log: { ...parts.log, checkpoint } }),
        policy: log.policyOfTwo('any'),
      };
    },
  },
  'quorum not met': {
    outcomes: ['incomplete'],
    attack: (log, random) => {
      const one = [log.witness, log.quantumWitness][random.below(2)] ?? log.witness;
      return { file: writeBundle(log.cosignedParts(SESSION, one)), policy: log.policyOfTwo('all') };
    },
  },
  'cosignature of another log': {
    outcomes: INVALID,
    attack: (log, random) => cosignedElsewhere(log, random, { origin: `${log.origin}-other` }),
  },
  'cosignature of another size': {
    outcomes: INVALID,
    attack: (log, random) => cosignedElsewhere(log, random, { size: log.entries.length + 1 }),
  },
  'cosignature of another tree': {
    outcomes: INVALID,
    attack: (log, random) => cosignedElsewhere(log, random, { root: new Uint8Array(32) }),
  },
  'cosignature by another key of that name': {
    outcomes: ['incomplete'],
    attack: (log) => {
      const { name, type } = log.witness;
      const stranger = signerKey(name, type, new Uint8Array(32).fill(5));
      return { file: writeBundle(log.cosignedParts(SESSION, stranger)), policy: log.policy('witness') };
    },
  },
  'signed by an unknown key': {
    outcomes: ['unknown-key'],
    attack: (log, random) => {
      const seed = Uint8Array.from({ length: 32 }, () => random.below(256));
      const signer = signerKey(log.origin, 'ed25519', seed);
      const parts = log.parts(SESSION);
      const { text } = parseNote(parts.log.checkpoint);
      const checkpoint = formatNote({ text, signatures: [signText(text, signer)] });
      return { file: writeBundle({ ...parts, signer, log: { ...parts.log, checkpoint, heads: [] } }) };
    },
  },
  'signed by a retired key': {
    outcomes: ['unknown-key'],
    attack: (log) => {
      const { signer } = log.parts(SESSION);
      log.rotate();
      log.append(SESSION);
      return { file: writeBundle({ ...log.parts(SESSION), signer }) };
    },
  },
  'erased without a receipt': {
    outcomes: INVALID,
    attack: (log) => {
      log.erase(keyIn(log));
      const parts = log.parts(SESSION);
      return { file: writeBundle(withoutReceipts(parts)) };
    },
  },
  'receipt without an erasure': {
    outcomes: INVALID,
    attack: (log, random) => {
      const key = keyIn(log);
      const before = log.parts(SESSION);
      log.erase(key);
      const parts = log.parts(SESSION);
      const { contentSalts } = before.log;
      const inclusion = withSealed(parts, before, random);
      return {
        file: writeBundle({
          ...parts,
          inclusion,
          events: before.events,
          log: { ...parts.log, contentSalts },
        }),
      };
    },
  },
  'erased under the key of a receipt': {
    outcomes: INVALID,
    attack: (log, random) => {
      log.append('other');
      keyIn(log);
      const before = log.parts(SESSION);
      const [destroyed = 'never-there'] = log.keysOf('other');
      log.erase(destroyed);
      const parts = log.parts(SESSION);
      const at = parts.events.findIndex((lines) => lines.includes('\n['));
      const forged = (parts.events[at] ?? '').replace(/\n\[.*\]\n/, `\n{"sealed":"v1.${destroyed}.AAAA"}\n`);
      const inclusion = withSealed(parts, before, random);
      const events = at < 0 ? parts.events.slice(1) : replaceAt(parts.events, at, forged);
      return { file: writeBundle({ ...parts, inclusion, events }) };
    },
  },
  'content left out': {
    outcomes: BROKEN,
    attack: (log) => {
      keyIn(log);
      const parts = log.parts(SESSION);
      const at = parts.events.findIndex((lines) => lines.split('\n').length > 2);
      const [event = ''] = (parts.events[at] ?? '').split('\n');
      return { file: writeBundle({ ...parts, events: replaceAt(parts.events, at, `${event}\n`) }) };
    },
  },
  'sealed content of two events exchanged': {
    outcomes: INVALID,
    attack: (log) => {
      appendContent(log, 2);
      const parts = log.parts(SESSION, 'sealed');
      const [one = 0, two = 0] = withContent(parts);
      const [first = [], second = []] = [one, two].map((at) => linesOf(parts, at));
      const exchanged = replaceAt(parts.events, one, joined([first[0], second[1], ...first.slice(2)]));
      const events = replaceAt(exchanged, two, joined([second[0], first[1], ...second.slice(2)]));
      return { file: writeBundle({ ...parts, events }) };
    },
  },
  'content of two events exchanged': {
    outcomes: BROKEN,
    attack: (log) => {
      appendContent(log, 2);
      const parts = log.parts(SESSION);
      const [one = 0, two = 0] = withContent(parts);
      const [first = [], second = []] = [one, two].map((at) => linesOf(parts, at));
      const exchanged = replaceAt(parts.events, one, joined([first[0], ...second.slice(1)]));
      const events = replaceAt(exchanged, two, joined([second[0], ...first.slice(1)]));
      return { file: writeBundle({ ...parts, events }) };
    },
  },
  'contents of one event reordered': {
    outcomes: BROKEN,
    attack: (log, random) => {
      let parts = log.parts(SESSION);
      while (!withContent(parts, 2).length) {
        log.append(SESSION);
        parts = log.parts(SESSION);
      }
      if (random.below(2) === 0) parts = log.parts(SESSION, 'sealed');
      const [at = 0] = withContent(parts, 2);
      const [event, first, second] = linesOf(parts, at);
      return {
        file: writeBundle({ ...parts, events: replaceAt(parts.events, at, joined([event, second, first])) }),
      };
    },
  },
  'no commitment to sealed contents': {
    outcomes: INVALID,
    attack: (log) => {
      appendContent(log, 1);
      const parts = log.parts(SESSION);
      const { sealed: _, ...inclusion } = parts.inclusion;
      return { file: writeBundle({ ...parts, inclusion }) };
    },
  },
  'another commitment to sealed contents': {
    outcomes: INVALID,
    attack: (log, random) => {
      appendContent(log, 1);
      const parts = log.parts(SESSION);
      log.append('other');
      const others = [
        CHAIN_START.sealed,
        sha256(''),
        log.parts('other').inclusion.sealed ?? sha256('-'),
        other(parts.inclusion.sealed ?? ''),
        chainIn(log.entries[parts.inclusion.index]?.text ?? '').open,
      ];
      const sealed = others[random.below(others.length)] ?? '';
      return { file: writeBundle({ ...parts, inclusion: { ...parts.inclusion, sealed } }) };
    },
  },
  'commitment of an earlier leaf': {
    outcomes: INVALID,
    attack: (log) => {
      appendContent(log, 1);
      const before = log.parts(SESSION).inclusion.sealed ?? '';
      appendContent(log, 1);
      const parts = log.parts(SESSION);
      return { file: writeBundle({ ...parts, inclusion: { ...parts.inclusion, sealed: before } }) };
    },
  },
  'erased while its key exists': {
    outcomes: INVALID,
    attack: (log) => {
      appendContent(log, 1);
      const parts = log.parts(SESSION, 'sealed');
      const { manifest, log: section } = log.parts(SESSION);
      return { file: writeBundle({ ...parts, manifest, log: section }) };
    },
  },
  'another digest of a sealed form': {
    outcomes: INVALID,
    attack: (log, random) => {
      log.erase(keyIn(log));
      const parts = digestedParts(log);
      const at = parts.events.findIndex((lines) => lines.includes('"digest":"'));
      const forged = (parts.events[at] ?? '').replace(/"digest":"[^"]*",/, () =>
        random.below(2) === 0 ? '' : `"digest":"${sha256('')}",`,
      );
      return { file: writeBundle({ ...parts, events: replaceAt(parts.events, at, forged) }) };
    },
  },
  'newer content as if a tenant erasure had it': {
    outcomes: INVALID,
    attack: (log, random) => {
      log.eraseAll();
      log.wait(12 + random.below(1_000));
      appendContent(log, 2);
      const parts = log.parts(SESSION);
      const hidden = log.parts(SESSION, 'sealed').events;
      const at = parts.events.findLastIndex((lines) => lines.includes('"content":') || lines.includes('\n['));
      const renamed = parts.events.map((lines, index) =>
        index === at ? (hidden[index] ?? '') : lines.replace(/"key":"([^"]*)"/, '"key":"$1x"'),
      );
      const salts = Object.entries(parts.log.contentSalts).map(([key, salt]) => [`${key}x`, salt]);
      const contentSalts = { ...parts.log.contentSalts, ...Object.fromEntries(salts) };
      return random.below(2) === 0
        ? { file: writeBundle({ ...parts, events: hidden }) }
        : { file: writeBundle({ ...parts, events: renamed, log: { ...parts.log, contentSalts } }) };
    },
  },
};

/** Appends this number of events with content. */
const appendContent = (log: SampleLog, count: number): void => {
  for (
    const before = withContent(log.parts(SESSION)).length;
    withContent(log.parts(SESSION)).length < before + count;
  )
    log.append(SESSION);
};

/** Returns the places of events with this many contents or more. */
const withContent = (parts: BundleParts, least = 1): readonly number[] =>
  parts.events.flatMap((_, at) => (linesOf(parts, at).length > least ? [at] : []));

/** Returns the lines of an event: its public part, and its contents. */
const linesOf = ({ events }: BundleParts, at: number): readonly string[] =>
  (events[at] ?? '').trimEnd().split('\n');

const joined = (lines: readonly (string | undefined)[]): string => lines.map((line) => `${line}\n`).join('');

/** Returns a bundle in which some content is erased and some is in clear, beside the digest of its sealed form. */
const digestedParts = (log: SampleLog): BundleParts => {
  for (;;) {
    const parts = log.parts(SESSION);
    if (parts.events.some((lines) => lines.includes('"digest":"'))) return parts;
    log.eraseAll();
    log.append(SESSION);
  }
};

/** A key of the session's content, which it has then. */
const keyIn = (log: SampleLog): string => {
  for (;;) {
    const [key] = log.keysOf(SESSION);
    if (key !== undefined) return key;
    log.append(SESSION);
  }
};

/** Gives the commitment to sealed contents, or leaves it out, as it serves the attacker. */
const withSealed = (
  { inclusion }: BundleParts,
  before: BundleParts,
  random: Choices,
): BundleParts['inclusion'] => {
  const { sealed: _, ...rest } = inclusion;
  const sealed = before.inclusion.sealed ?? '-';
  return random.below(2) === 0 ? rest : { ...rest, sealed };
};

/** Leaves the receipts out; their leaves are as good as any others beside the session's. */
const withoutReceipts = (parts: BundleParts): BundleParts => ({ ...parts, receipts: [] });

export const ATTACK_NAMES: readonly string[] = Object.keys(ATTACKS);

/** Returns a file that must not be valid. */
export const attackedProof = (name: string, random: Choices): ProofCase => {
  const named = new Map(Object.entries(ATTACKS)).get(name);
  if (!named) throw new Error(`there is no attack "${name}"`);
  const log = sampleLog('acme', random);
  const { file, policy = log.policy() } = named.attack(log, random);
  return { name, file: Buffer.from(file), policy, outcomes: named.outcomes };
};
