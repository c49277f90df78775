export * from './catalog.js';
export * from './cost.js';
export { type Candidate, candidatesOf, type NameRule, type Seller } from './names.js';
export * from './record.js';
export * from './summarizing-model.js';
