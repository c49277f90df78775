export { providerEditsFrom, type ReportedEdits } from './anthropic-messages/provider-edits.js';
export { type OpenedTranscript, openTranscript } from './open/open-transcript.js';
export * from './transcript.js';
