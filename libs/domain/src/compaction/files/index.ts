export * from './file-operations.js';
export { type SimpleCommand, simpleCommandsOf } from './shell-line.js';
