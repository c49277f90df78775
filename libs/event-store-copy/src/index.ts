export { type CopyResult, copyEvents } from './copy/copy-events.js';
export type { CopyProgress } from './copy/progress.js';
