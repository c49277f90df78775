export { ATTACK_NAMES, attackedProof, honestProof, type ProofCase } from './attacks.js';
export { SampleLog, writeBundle } from './sample-log.js';
