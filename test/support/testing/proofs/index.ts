export { ATTACK_NAMES, attackedProof, honestProof, largeProof, type ProofCase } from './attacks.js';
