import { type SubmitToWitness, type WitnessReply, WitnessUnreachable } from '@app/ports';

/** A witness verifies two signatures and a proof. */
const ANSWER_MS = 10_000;
/** Limit of an answer: some signatures of ML-DSA-44 have 3.3 kB each. */
const ANSWER_BYTES_MAX = 65_536;

/** Posts to a witness over HTTP. Redirects are not followed. */
export const submitToWitness: SubmitToWitness = async (prefix, body, signal) => {
  const late = AbortSignal.timeout(ANSWER_MS);
  try {
    const answer = await fetch(`${prefix.replace(/\/+$/, '')}/add-checkpoint`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain; charset=utf-8' },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, late]),
    });
    return await replyOf(answer);
  } catch (error) {
    if (error instanceof WitnessUnreachable) throw error;
    signal.throwIfAborted();
    const problem = late.aborted ? `it gave no answer within ${ANSWER_MS / 1_000} s` : 'it cannot be reached';
    throw new WitnessUnreachable(problem, { cause: error });
  }
};

const replyOf = async ({ status, body }: Response): Promise<WitnessReply> => {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body ?? []) {
    bytes += part.length;
    // Leaving the loop cancels the body.
    if (bytes > ANSWER_BYTES_MAX)
      throw new WitnessUnreachable(`its answer is longer than ${ANSWER_BYTES_MAX} bytes`);
    parts.push(part);
  }
  return { status, body: new TextDecoder().decode(Buffer.concat(parts)) };
};
