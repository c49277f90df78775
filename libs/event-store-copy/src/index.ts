export { type CopyOptions, type CopyResult, copyEvents } from './copying/copy-events.js';
export type { CopyProgress } from './copying/progress.js';
