export { type ReadLinesOptions, readLines } from './lines/read-lines.js';
export { type OpenedTranscript, openTranscript } from './open/open-transcript.js';
export { RAW_ARGUMENTS } from './openai-messages/convert-call.js';
export * from './transcript.js';
