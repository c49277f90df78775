export { commandIn, pathIn } from './call-target.js';
export * from './file-operations.js';
export { simpleCommandsOf } from './shell-line.js';
