export * from './file-operations.js';
export { commandIn, pathIn } from './shell-files.js';
export { simpleCommandsOf } from './shell-line.js';
