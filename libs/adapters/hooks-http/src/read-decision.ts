import type { HookDecision } from '@app/ports';
import { z } from 'zod';

/** Maximum bytes of an answer. A summary takes some tens of thousands. */
const ANSWER_BYTES_MAX = 1_048_576;

/** The answer is invalid. The error contains no part of it. */
class UnreadableAnswer extends Error {
  override readonly name = 'UnreadableAnswer';
}

const decisions = z.discriminatedUnion('decision', [
  z.object({ decision: z.literal('continue'), context: z.array(z.string()).exactOptional() }),
  z.object({ decision: z.literal('cancel'), reason: z.string() }),
  z.object({ decision: z.literal('summary'), summary: z.string() }),
]);

/**
 * Returns the decision of an answer; `undefined` for an empty one or an object without a decision.
 *
 * @throws {UnreadableAnswer} for any other content.
 */
export const readDecision = async (answer: Response): Promise<HookDecision> => {
  const text = await textOf(answer);
  if (text.trim() === '') return { decision: 'continue' };
  const value = parse(text);
  if (typeof value === 'object' && value !== null && !('decision' in value) && !Array.isArray(value)) {
    return { decision: 'continue' };
  }
  const decision = decisions.safeParse(value);
  if (decision.success) return decision.data;
  throw new UnreadableAnswer('the answer decides nothing that there is');
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new UnreadableAnswer('the answer is not JSON');
  }
};

const textOf = async ({ body }: Response): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > ANSWER_BYTES_MAX)
      throw new UnreadableAnswer(`the answer takes more than ${ANSWER_BYTES_MAX} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
};
