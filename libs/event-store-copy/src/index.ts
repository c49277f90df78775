export { type CopyOptions, type CopyProgress, type CopyResult, copyEvents } from './copying/copy-events.js';
