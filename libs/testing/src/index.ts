export * from './read-transcript.js';
