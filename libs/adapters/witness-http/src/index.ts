export { submitToWitness } from './submit-to-witness.js';
