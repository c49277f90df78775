export { commandIn, pathIn } from './call-target.js';
export * from './file-operations.js';
export { type SimpleCommand, simpleCommandsOf } from './shell-line.js';
