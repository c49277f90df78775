export { openTokenCounter } from './open-token-counter.js';
