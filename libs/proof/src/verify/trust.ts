import {
  type AcceptedCheckpoint,
  acceptedCheckpoint,
  base64,
  type Checkpoint,
  fromBase64,
  type Hash,
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
import { type Bundle, signedText } from '../bundle/bundle.js';
import { parseLogEntry } from '../log-entries.js';
import type { Fault, Report, Step, VerifiedHead } from './report.js';

/** Whom a verification trusts: a policy, or the keys of an earlier verification; else the file's own first entry. */
export type Trust = {
  readonly policy?: Policy;
  readonly remembered?: VerifiedHead;
};

export type CheckedHeads = {
  /** `undefined` if no signature on it is accepted. */
  readonly accepted: AcceptedCheckpoint | undefined;
  /** The head as it is written, signed or not; `undefined` if it cannot be read. */
  readonly checkpoint: Checkpoint | undefined;
  readonly trust: Report['trust'];
  readonly keys: readonly VerifierKey[];
  readonly faults: readonly Fault[];
};

const OUTCOME_OF = {
  malformed: 'malformed',
  'unknown-key': 'unknown-key',
  'bad-signature': 'invalid',
  'bad-proof': 'invalid',
  'no-quorum': 'incomplete',
} as const;

/**
 * Verifies the signatures of a bundle's heads and of the bundle itself, and that each head continues those before it. A new key
 * is trusted where a head that a trusted key has signed contains the entry that names it.
 */
export const checkHeads = (bundle: Bundle, { policy: given, remembered }: Trust): CheckedHeads => {
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
  const keys = [...(policy?.logs.map(({ key }) => key) ?? [])];
  for (const { checkpoint, proof } of log.heads) {
    const head = attempt('consistency', () => headIn(checkpoint));
    const hashes = attempt('consistency', () => hashesIn(proof));
    if (!head || !hashes || !main || !policy) continue;
    if (head.origin !== main.origin || !isConsistent(head, main, hashes)) {
      faults.push(
        invalid('consistency', `the tree of ${main.size} leaves does not continue the one of ${head.size}`),
      );
      continue;
    }
    const isSigned = attempt('signatures', () =>
      acceptedCheckpoint(checkpoint, withKeys(policy, keys, 'none')),
    );
    if (isSigned) keys.push(...keysNamedIn(bundle, head.size));
  }
  const accepted =
    policy &&
    attempt('signatures', () => acceptedCheckpoint(log.checkpoint, withKeys(policy, keys, policy.quorum)));
  if (bundle.signature !== undefined) {
    const { signature } = bundle;
    attempt('signatures', () => requireSigned(bundle, signature, keys));
  }
  if (main && remembered)
    faults.push(...(attempt('consistency', () => againstRemembered(bundle, main, remembered)) ?? []));
  const trust = given ? 'policy' : remembered ? 'remembered' : 'file';
  return { accepted, checkpoint: main, trust, keys, faults };
};

const invalid = (step: Step, detail: string): Fault => ({ step, outcome: 'invalid', detail });

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
  { log, manifest }: Bundle,
  given: Policy | undefined,
  remembered: VerifiedHead | undefined,
): Policy => {
  if (given) return given;
  const first = log.entries.find(({ index }) => index === 0);
  const entry = first && parseLogEntry(first.text);
  if (entry?.kind !== 'log') throw new TlogError('malformed', 'the first entry of the log is missing');
  const last = log.entries
    .map(({ text }) => parseLogEntry(text))
    .findLast((one) => one?.kind === 'log' || one?.kind === 'policy');
  const { logs } = parsePolicy(entry.policy);
  const own = { ...parsePolicy(last?.kind === 'policy' ? last.policy : entry.policy), logs };
  if (!remembered || remembered.origin !== manifest.origin) return own;
  return { ...own, logs: remembered.keys.map((key) => ({ key: parseVerifierKey(key) })) };
};

const withKeys = (policy: Policy, keys: readonly VerifierKey[], quorum: string): Policy => ({
  ...policy,
  quorum,
  logs: keys.map((key) => ({ key })),
});

/** The keys that entries of the log before `size` name. */
const keysNamedIn = ({ log }: Bundle, size: number): readonly VerifierKey[] =>
  log.entries.flatMap(({ index, text }) => {
    const entry = index < size ? parseLogEntry(text) : undefined;
    return entry?.kind === 'key' ? entry.verifierKeys.map(parseVerifierKey) : [];
  });

/** @throws {TlogError} `unknown-key`, `bad-signature`, `malformed`. */
const requireSigned = (
  { manifest: { origin }, digest }: Bundle,
  signature: string,
  keys: readonly VerifierKey[],
): void => {
  const signers = keys.filter(({ name, type }) => name === origin && type === 'ed25519');
  const { text } = openNote(signature, signers);
  if (text !== signedText(origin, digest))
    throw new TlogError('bad-signature', 'the file was changed after the log had signed it');
};

const againstRemembered = (
  { log }: Bundle,
  main: Checkpoint,
  { origin, size, root }: VerifiedHead,
): readonly Fault[] => {
  if (origin !== main.origin) return [];
  const older = { size, root: fromBase64(root) ?? new Uint8Array() };
  const proof = size === main.size ? [] : log.since?.size === size ? log.since.proof : undefined;
  if (proof !== undefined) {
    if (isConsistent(older, main, hashesIn(proof))) return [];
    return [invalid('consistency', `the log does not continue the remembered tree of ${size} leaves`)];
  }
  const same = log.heads.map(({ checkpoint }) => headIn(checkpoint)).find((head) => head.size === size);
  if (same && base64(same.root) === root) return [];
  if (same) return [invalid('consistency', `the log has another tree of ${size} leaves than remembered`)];
  const detail = `no proof leads from the remembered tree of ${size} leaves to the one of ${main.size}: export with --since ${size}`;
  return [{ step: 'consistency', outcome: 'incomplete', detail }];
};
