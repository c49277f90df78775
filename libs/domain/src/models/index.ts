export * from './catalog.js';
export * from './cost.js';
export { candidatesOf } from './names.js';
export * from './record.js';
export * from './summarizing-model.js';
