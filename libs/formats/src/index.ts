export { providerEditsFrom, type ReportedEdits } from './anthropic-messages/provider-edits.js';
export { isShallow } from './drafts/content-blocks.js';
export { FORMATS } from './formats.js';
export { readLines } from './lines/read-lines.js';
export { type OpenedTranscript, openTranscript } from './open/open-transcript.js';
export * from './rows/csv.js';
export * from './rows/json-text.js';
export * from './transcript.js';
export * from './wires/index.js';
