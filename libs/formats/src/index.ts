export { type OpenedTranscript, openTranscript } from './open/open-transcript.js';
export * from './transcript.js';
