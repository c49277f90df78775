import { isEqual, textOf } from './bytes.js';
import { type Checkpoint, parseCheckpoint } from './checkpoint.js';
import { cosignedAt, verifyAny } from './cosignature.js';
import { parseVerifierKey, type VerifierKey } from './keys.js';
import { type Note, parseNote, verifiedSignatures } from './note.js';
import { malformed, TlogError } from './tlog-error.js';

type Member = { readonly name: string };
export type PolicyWitness = Member & { readonly key: VerifierKey; readonly url?: string };
export type PolicyGroup = Member & { readonly threshold: number; readonly members: readonly string[] };
/** tlog-policy: who is trusted to sign and to witness. */
export type Policy = {
  readonly logs: readonly { readonly key: VerifierKey; readonly url?: string }[];
  readonly witnesses: readonly PolicyWitness[];
  readonly groups: readonly PolicyGroup[];
  /** Name of a witness or a group, or `none`. */
  readonly quorum: string;
};

const NONE = 'none';
const LOG_TYPES = new Set(['ed25519', 'ml-dsa-44-cosignature']);

/** @throws {TlogError} `malformed`, with the line. */
export const parsePolicy = (file: string | Uint8Array): Policy => {
  const text = typeof file === 'string' ? file : textOf(file);
  const reader = new PolicyReader();
  for (const [at, line] of text.split('\n').entries()) {
    if (/[^\P{Cc}\t\u0080-\u009f]/u.test(line))
      throw malformed('policy', at + 1, 'it holds a control character');
    const words = line.split(/[ \t]+/).filter((word) => word !== '');
    if (words.length > 0 && !words[0]?.startsWith('#')) reader.read(words, at + 1);
  }
  return reader.policy();
};

class PolicyReader {
  readonly #logs: Policy['logs'][number][] = [];
  readonly #witnesses: PolicyWitness[] = [];
  readonly #groups: PolicyGroup[] = [];
  readonly #grouped = new Set<string>();
  #quorum: string | undefined;

  read([kind, ...words]: readonly string[], line: number): void {
    if (kind === 'log') this.#log(words, line);
    else if (kind === 'witness') this.#witness(words, line);
    else if (kind === 'group') this.#group(words, line);
    else if (kind === 'quorum') this.#setQuorum(words, line);
    else throw malformed('policy', line, 'it is no log, witness, group or quorum');
  }

  #setQuorum([name, ...more]: readonly string[], line: number): void {
    if (name === undefined || more.length > 0) throw malformed('policy', line, 'a quorum is one name');
    if (this.#quorum !== undefined) throw malformed('policy', line, 'there is a quorum already');
    if (name !== NONE && !this.#isDefined(name))
      throw malformed('policy', line, `${name} is not defined above`);
    this.#quorum = name;
  }

  policy(): Policy {
    if (this.#quorum === undefined) throw malformed('policy', 1, 'there is no quorum');
    return { logs: this.#logs, witnesses: this.#witnesses, groups: this.#groups, quorum: this.#quorum };
  }

  #log([vkey, url, ...more]: readonly string[], line: number): void {
    if (vkey === undefined || more.length > 0)
      throw malformed('policy', line, 'a log is a key and a URL at most');
    const key = keyIn(vkey, line);
    if (!LOG_TYPES.has(key.type))
      throw malformed('policy', line, 'a key of this type does not sign for a log');
    if (this.#logs.some((one) => isEqual(one.key.publicKey, key.publicKey)))
      throw malformed('policy', line, 'another log has this key');
    this.#logs.push({ key, ...(url !== undefined && { url }) });
  }

  #witness([name, vkey, url, ...more]: readonly string[], line: number): void {
    if (name === undefined || vkey === undefined || more.length > 0)
      throw malformed('policy', line, 'a witness is a name, a key and a URL at most');
    this.#define(name, line);
    const key = keyIn(vkey, line);
    if (key.type === 'ed25519') throw malformed('policy', line, 'a key of this type does not cosign');
    if (this.#witnesses.some((one) => isEqual(one.key.publicKey, key.publicKey)))
      throw malformed('policy', line, 'another witness has this key');
    this.#witnesses.push({ name, key, ...(url !== undefined && { url }) });
  }

  #group([name, least, ...members]: readonly string[], line: number): void {
    if (name === undefined || least === undefined || members.length === 0)
      throw malformed('policy', line, 'a group is a name, "all", "any" or a number, and members');
    for (const member of members) {
      if (!this.#isDefined(member)) throw malformed('policy', line, `${member} is not defined above`);
      if (this.#grouped.has(member)) throw malformed('policy', line, `${member} is a member already`);
      this.#grouped.add(member);
    }
    this.#define(name, line);
    const threshold =
      least === 'all' ? members.length : least === 'any' ? 1 : Number(/^[0-9]+$/.exec(least)?.[0]);
    if (!(threshold >= 1 && threshold <= members.length))
      throw malformed('policy', line, `it asks for ${least} of ${members.length} members`);
    this.#groups.push({ name, threshold, members });
  }

  #define(name: string, line: number): void {
    if (name === NONE || this.#isDefined(name)) throw malformed('policy', line, `${name} is taken`);
  }

  #isDefined(name: string): boolean {
    return [...this.#witnesses, ...this.#groups].some((one: Member) => one.name === name);
  }
}

const keyIn = (vkey: string, line: number): VerifierKey => {
  try {
    return parseVerifierKey(vkey);
  } catch (error) {
    if (error instanceof TlogError) throw malformed('policy', line, error.message);
    throw error;
  }
};

/** A checkpoint that a policy accepts. */
export type AcceptedCheckpoint = {
  readonly checkpoint: Checkpoint;
  readonly log: VerifierKey;
  /** Names of the policy's witnesses that have cosigned, with the seconds since 1970. */
  readonly cosigned: ReadonlyMap<string, number>;
};

/**
 * Returns a checkpoint that one of the policy's logs has signed and its quorum has cosigned.
 *
 * @throws {TlogError} `malformed`, `unknown-key`, `bad-signature`, `no-quorum`.
 */
export const acceptedCheckpoint = (signed: string | Note, policy: Policy): AcceptedCheckpoint => {
  const note = typeof signed === 'string' ? parseNote(signed) : signed;
  const checkpoint = parseCheckpoint(note.text);
  const logs = policy.logs.map(({ key }) => key).filter(({ name }) => name === checkpoint.origin);
  const [signature] = verifiedSignatures(note, logs, verifyAny);
  if (!signature)
    throw new TlogError('unknown-key', `no log of the policy has signed for ${checkpoint.origin}`);
  const cosigned = cosignersOf(note, policy);
  if (!hasQuorum(policy, cosigned.keys())) throw new TlogError('no-quorum', noQuorumText(policy, cosigned));
  return { checkpoint, log: signature.key, cosigned };
};

/**
 * Returns the names of the policy's witnesses that have cosigned a checkpoint, with the seconds since 1970.
 *
 * @throws {TlogError} `bad-signature` for a cosignature of one of them that does not verify.
 */
export const cosignersOf = (
  note: Note,
  { witnesses }: Pick<Policy, 'witnesses'>,
): ReadonlyMap<string, number> => {
  const cosigned = new Map<string, number>();
  for (const { name, key } of witnesses) {
    const times = verifiedSignatures(note, [key], verifyAny).map(({ bytes }) => cosignedAt(bytes) ?? 0);
    if (times.length > 0) cosigned.set(name, Math.max(...times));
  }
  return cosigned;
};

/** Whether witnesses of these names are the quorum of a policy. */
export const hasQuorum = (
  { quorum, groups }: Pick<Policy, 'quorum' | 'groups'>,
  names: Iterable<string>,
): boolean => quorum === NONE || hasWitnessed(quorum, groups, new Set(names));

const noQuorumText = ({ witnesses, quorum }: Policy, cosigned: ReadonlyMap<string, number>): string => {
  const missing = witnesses.map(({ name }) => name).filter((name) => !cosigned.has(name));
  const lacks = missing.length > 0 ? `; missing: ${missing.join(', ')}` : '';
  return `${cosigned.size} of ${witnesses.length} ${witnesses.length === 1 ? 'witness has' : 'witnesses have'} cosigned, which is not the quorum "${quorum}"${lacks}`;
};

const hasWitnessed = (
  name: string,
  groups: readonly PolicyGroup[],
  cosigned: ReadonlySet<string>,
): boolean => {
  const group = groups.find((one) => one.name === name);
  if (!group) return cosigned.has(name);
  return group.members.filter((member) => hasWitnessed(member, groups, cosigned)).length >= group.threshold;
};
