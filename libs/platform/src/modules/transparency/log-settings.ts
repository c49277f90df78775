import { z } from 'zod';

/** Settings of the transparency logs. */
export const transparencySettings = {
  /** Whether checkpoints carry a second signature, by ML-DSA-44, which quantum computers cannot forge. */
  PALIMPSEST_LOG_ML_DSA: z.enum(['on', 'off'], { error: 'give on or off' }).default('off'),
};

/** No witness has to cosign a log by the log's own policy; readers of proofs can ask for some in theirs. */
const NO_WITNESSES = 'quorum none\n';

export const logSettings = ({
  PALIMPSEST_LOG_ML_DSA: second,
}: {
  readonly PALIMPSEST_LOG_ML_DSA: 'on' | 'off';
}) => ({
  witnessPolicy: NO_WITNESSES,
  secondSignature: second === 'on',
});
