import type { DueHead, SubmitToWitness, TransparencyLogs, WitnessReply } from '@app/ports';
import { WitnessUnreachable } from '@app/ports';
import {
  consistencyRanges,
  formatAddCheckpoint,
  formatSignature,
  type Note,
  parseNote,
  TlogError,
  type VerifierKey,
  withCosignatures,
} from '@app/tlog';

/** A witness does not cosign this head; the message says why. */
export class WitnessRefused extends Error {
  override readonly name = 'WitnessRefused';
}

type Parts = {
  readonly proofs: TransparencyLogs['proofs'];
  readonly submit: SubmitToWitness;
};

/** It answers with its size at most once, unless another process of ours asks it at the same time. */
const TRIES = 3;

/**
 * Asks a witness to cosign a head (C2SP tlog-witness), again from the size that it names. Returns its cosignature as a line.
 *
 * @throws {WitnessRefused}, {WitnessUnreachable}.
 */
export const submitHead = async (
  { proofs, submit }: Parts,
  { key, url }: { readonly key: VerifierKey; readonly url: string },
  { tenant, size, checkpoint, cosignedSize }: DueHead,
  signal: AbortSignal,
): Promise<string> => {
  const note = parseNote(checkpoint);
  let oldSize = cosignedSize;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const [proof = []] = await proofs(tenant, [consistencyRanges(oldSize, size)], size);
    const reply = await submit(url, formatAddCheckpoint({ oldSize, proof, note }), signal);
    if (reply.status === 200) return cosignatureIn(note, reply, key);
    if (reply.status !== 409) throw refusalOf(reply);
    const named = /^(0|[1-9][0-9]{0,15})\n$/.exec(reply.body)?.[1];
    if (named === undefined)
      throw new WitnessRefused(
        'it answers 409 without the size of its tree: it may know another tree of this size',
      );
    if (Number(named) > size)
      throw new WitnessRefused(
        `it has cosigned a tree of ${named} leaves, and this log has ${size}: the log was restored from an older backup, which \`restore --new-logs\` mends, or was changed`,
      );
    oldSize = Number(named);
  }
  throw new WitnessRefused('it names another size each time that it is asked');
};

const cosignatureIn = (note: Note, { body }: WitnessReply, key: VerifierKey): string => {
  try {
    const [added] = withCosignatures(note, body, [key]).added;
    if (added) return formatSignature({ name: key.name, id: key.id, bytes: added.bytes });
    throw new WitnessRefused('its answer has no cosignature');
  } catch (error) {
    if (!(error instanceof TlogError)) throw error;
    const reasons = {
      'bad-signature': 'its cosignature does not verify: it is not of this head, or of another key',
      'unknown-key': 'its answer has no cosignature by the key in the policy',
    };
    const reason =
      error.code === 'bad-signature' || error.code === 'unknown-key' ? reasons[error.code] : undefined;
    throw new WitnessRefused(reason ?? 'its answer is no cosignature');
  }
};

const REFUSALS: Readonly<Record<number, string>> = {
  400: 'it cannot read the checkpoint (status 400)',
  403: "it trusts none of the log's keys (status 403): give its operator the log's newest key",
  404: "it does not know this log (status 404): give its operator the log's key",
  422: 'it finds that the log does not continue the tree that it knows (status 422): the log was restored from an older backup, which `restore --new-logs` mends, or was changed',
};

const refusalOf = ({ status }: WitnessReply): Error => {
  const refusal = REFUSALS[status];
  return refusal === undefined
    ? new WitnessUnreachable(`it answers with status ${status}`)
    : new WitnessRefused(refusal);
};
