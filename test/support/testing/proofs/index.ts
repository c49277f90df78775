export { ATTACK_NAMES, attackedProof, honestProof, type ProofCase } from './attacks.js';
