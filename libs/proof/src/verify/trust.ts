import {
  type AcceptedCheckpoint,
  acceptedCheckpoint,
  base64,
  type Checkpoint,
  cosignersOf,
  fromBase64,
  type Hash,
  hasQuorum,
  isConsistent,
  openNote,
  type Policy,
  parseCheckpoint,
  parseNote,
  parsePolicy,
  parseVerifierKey,
  TlogError,
  type VerifierKey,
} from '@app/tlog';
import { type Bundle, type Manifest, signedText } from '../bundle/bundle.js';
import { parseLogEntry } from '../log-entries.js';
import type { YieldToLoop } from '../yield.js';
import type { Fault, Report, Step, VerifiedHead } from './report.js';

/** Trusted keys of a verification: a policy, or the keys of an earlier verification; else the file's own first entry. */
export type Trust = {
  readonly policy?: Policy;
  /** At most one of a log. */
  readonly remembered?: readonly VerifiedHead[];
};

/** The verified parts of a log: its heads and, in a file, the signature of the file. */
export type SignedLog = Pick<Bundle, 'log' | 'signature' | 'digest'> & {
  readonly manifest: Pick<Manifest, 'origin' | 'size'>;
};

/** Returns the remembered head of the log that a bundle names. */
const rememberedOf = ({ manifest }: SignedLog, { remembered }: Trust): VerifiedHead | undefined =>
  remembered?.find(({ origin }) => origin === manifest.origin);

/** Returns where the log's key is known from. */
export const trustOf = (bundle: SignedLog, given: Trust): Report['trust'] => {
  if (given.policy) return 'policy';
  return rememberedOf(bundle, given) ? 'remembered' : 'file';
};

export type CheckedHeads = {
  /** `undefined` if no signature on it is accepted. */
  readonly accepted: AcceptedCheckpoint | undefined;
  /** The head as it is written, signed or not; `undefined` if it cannot be read. */
  readonly checkpoint: Checkpoint | undefined;
  /** Keys of the log in force at the newest head. */
  readonly keys: readonly VerifierKey[];
  readonly witnesses: CheckedWitnesses;
  readonly faults: readonly Fault[];
};

/** The witnesses of the policy by name: those whose cosignatures are on the checkpoint, and the others. */
type CheckedWitnesses = {
  readonly cosigned: readonly string[];
  readonly missing: readonly string[];
  /** `none` if the policy demands none. */
  readonly quorum: 'none' | 'met' | 'not-met';
};

const OUTCOME_OF = {
  malformed: 'malformed',
  'unknown-key': 'unknown-key',
  'bad-signature': 'invalid',
  'bad-proof': 'invalid',
  'no-quorum': 'incomplete',
} as const;

/**
 * Verifies the signatures of a bundle's heads and of the bundle itself, and that each head continues those before it. Where a
 * head that a trusted key has signed contains an entry with new keys, these are trusted instead. Heads from before the trusted
 * keys are compared and trusted for nothing.
 */
export const checkHeads = async (
  bundle: SignedLog,
  trust: Trust,
  yieldToLoop?: YieldToLoop,
): Promise<CheckedHeads> => {
  const { policy: given } = trust;
  const remembered = rememberedOf(bundle, trust);
  const faults: Fault[] = [];
  const attempt = <Result>(step: Step, work: () => Result): Result | undefined => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof TlogError)) throw error;
      faults.push({ step, outcome: OUTCOME_OF[error.code], detail: error.message });
      return undefined;
    }
  };
  const { manifest, log } = bundle;
  const policy = attempt('signatures', () => policyFor(bundle, given, remembered));
  const main = attempt('consistency', () => headIn(log.checkpoint));
  if (main && (main.size !== manifest.size || main.origin !== manifest.origin))
    faults.push(invalid('consistency', 'the checkpoint is of another tree than the manifest'));
  let keys: readonly VerifierKey[] = policy?.logs.map(({ key }) => key) ?? [];
  const newKeys = keyEntriesOf(log);
  for (const { checkpoint, proof } of log.heads) {
    await yieldToLoop?.();
    const head = attempt('consistency', () => headIn(checkpoint));
    const hashes = attempt('consistency', () => hashesIn(proof));
    if (!head || !hashes || !main || !policy) continue;
    if (head.origin !== main.origin || !isConsistent(head, main, hashes)) {
      faults.push(
        invalid('consistency', `the tree of ${main.size} leaves does not continue the one of ${head.size}`),
      );
      continue;
    }
    const known = keys;
    keys =
      attempt('signatures', () => keysAfter(newKeys, checkpoint, head.size, withKeys(policy, known))) ?? keys;
  }
  const accepted =
    policy &&
    attempt('signatures', () =>
      acceptedCheckpoint(log.checkpoint, { ...withKeys(policy, keys), quorum: policy.quorum }),
    );
  // A policy may name keys that sign checkpoints alone: the tree under such a signature names the key that signs files.
  if (!keys.some(({ type }) => type === 'ed25519'))
    keys = [...keys, ...(attempt('signatures', () => keysForFiles(bundle)) ?? [])];
  if (bundle.signature !== undefined) {
    const { signature } = bundle;
    attempt('signatures', () => requireSigned(bundle, signature, keys));
  }
  if (main && remembered)
    faults.push(...(attempt('consistency', () => againstRemembered(bundle, main, remembered)) ?? []));
  return { accepted, checkpoint: main, keys, faults, witnesses: witnessesOf(log.checkpoint, policy) };
};

const invalid = (step: Step, detail: string): Fault => ({ step, outcome: 'invalid', detail });

/** Cosignatures that do not verify are faults elsewhere, and those of missing witnesses here. */
const witnessesOf = (checkpoint: string, policy: Policy | undefined): CheckedWitnesses => {
  const names = policy?.witnesses.map(({ name }) => name) ?? [];
  const cosigned = policy ? policy.witnesses.filter((one) => hasCosigned(checkpoint, one)) : [];
  const present = cosigned.map(({ name }) => name);
  const isMet = policy !== undefined && hasQuorum(policy, present);
  return {
    cosigned: present,
    missing: names.filter((name) => !present.includes(name)),
    quorum: policy?.quorum === 'none' ? 'none' : isMet ? 'met' : 'not-met',
  };
};

const hasCosigned = (checkpoint: string, witness: Policy['witnesses'][number]): boolean => {
  try {
    return cosignersOf(parseNote(checkpoint), { witnesses: [witness] }).size > 0;
  } catch (error) {
    if (error instanceof TlogError) return false;
    throw error;
  }
};

/** Returns the Ed25519 keys that the newest entry about keys names. @throws {TlogError} `malformed`. */
const keysForFiles = ({ log, manifest: { origin } }: SignedLog): readonly VerifierKey[] => {
  const entries = log.entries.map(({ text }) => parseLogEntry(text));
  const newest = entries.findLast((entry) => entry?.kind === 'key' || entry?.kind === 'log');
  const keys =
    newest?.kind === 'key'
      ? newest.verifierKeys.map(parseVerifierKey)
      : newest?.kind === 'log'
        ? parsePolicy(newest.policy).logs.map(({ key }) => key)
        : [];
  return keys.filter(({ name, type }) => name === origin && type === 'ed25519');
};

const headIn = (note: string): Checkpoint => {
  const { text } = parseNote(note);
  return parseCheckpoint(text);
};

/** @throws {TlogError} `malformed` for a hash that is none. */
export const hashesIn = (hashes: readonly string[]): readonly Hash[] =>
  hashes.map((text) => {
    const hash = fromBase64(text);
    if (hash?.length !== 32) throw new TlogError('malformed', 'a hash is no base64 of 32 bytes');
    return hash;
  });

/** @throws {TlogError} `malformed` if the file has no readable first entry. */
const policyFor = (
  { log }: SignedLog,
  given: Policy | undefined,
  remembered: VerifiedHead | undefined,
): Policy => {
  if (given) return given;
  const first = log.entries.find(({ index }) => index === 0);
  const entry = first && parseLogEntry(first.text);
  if (entry?.kind !== 'log') throw new TlogError('malformed', 'the first entry of the log is missing');
  const newer = log.entries.map(({ text }) => parseLogEntry(text)).findLast((one) => one?.kind === 'policy');
  const { logs } = parsePolicy(entry.policy);
  const own = { ...parsePolicy(newer?.policy ?? entry.policy), logs };
  if (!remembered) return own;
  return { ...own, logs: remembered.keys.map((key) => ({ key: parseVerifierKey(key) })) };
};

/** Without witnesses. */
const withKeys = (policy: Policy, keys: readonly VerifierKey[]): Policy => ({
  ...policy,
  quorum: 'none',
  logs: keys.map((key) => ({ key })),
});

/**
 * Returns the newest keys that entries of the log before a head name; `undefined` if no trusted key has signed it, or none is
 * named.
 *
 * @throws {TlogError} `malformed`, `bad-signature`.
 */
const keysAfter = (
  entries: readonly KeyEntry[],
  checkpoint: string,
  size: number,
  trusted: Policy,
): readonly VerifierKey[] | undefined => {
  if (!isAccepted(checkpoint, trusted)) return undefined;
  return entries.findLast(({ index }) => index < size)?.verifierKeys.map(parseVerifierKey);
};

/** An entry with new keys. */
type KeyEntry = { readonly index: number; readonly verifierKeys: readonly string[] };

const keyEntriesOf = ({ entries }: SignedLog['log']): readonly KeyEntry[] =>
  entries.flatMap(({ index, text }) => {
    const entry = parseLogEntry(text);
    return entry?.kind === 'key' ? [{ index, verifierKeys: entry.verifierKeys }] : [];
  });

/** @throws {TlogError} `malformed`, `bad-signature`. */
const isAccepted = (checkpoint: string, policy: Policy): boolean => {
  try {
    acceptedCheckpoint(checkpoint, policy);
    return true;
  } catch (error) {
    if (error instanceof TlogError && error.code === 'unknown-key') return false;
    throw error;
  }
};

/** @throws {TlogError} `unknown-key`, `bad-signature`, `malformed`. */
const requireSigned = (
  { manifest: { origin }, digest }: SignedLog,
  signature: string,
  keys: readonly VerifierKey[],
): void => {
  const signers = keys.filter(({ name, type }) => name === origin && type === 'ed25519');
  const { text, signatures } = openNote(signature, signers);
  if (signatures.length > 1)
    throw new TlogError('malformed', `the file has ${signatures.length} signatures, not one`);
  if (text !== signedText(origin, digest))
    throw new TlogError('bad-signature', 'the file was changed after the log had signed it');
};

const againstRemembered = (
  { log }: SignedLog,
  main: Checkpoint,
  { size, root }: VerifiedHead,
): readonly Fault[] => {
  const older = { size, root: fromBase64(root) ?? new Uint8Array() };
  const proof = size === main.size ? [] : log.since?.size === size ? log.since.proof : undefined;
  if (proof !== undefined) {
    if (isConsistent(older, main, hashesIn(proof))) return [];
    return [invalid('consistency', `the log does not continue the remembered tree of ${size} leaves`)];
  }
  const same = log.heads.map(({ checkpoint }) => headIn(checkpoint)).find((head) => head.size === size);
  if (same && base64(same.root) === root) return [];
  if (same) return [invalid('consistency', `the log has another tree of ${size} leaves than remembered`)];
  const detail =
    size > main.size
      ? `the file is older than the remembered tree of ${size} leaves: export the session again`
      : `no proof leads from the remembered tree of ${size} leaves to the one of ${main.size}: export with --since ${size}`;
  return [{ step: 'consistency', outcome: 'incomplete', detail }];
};
