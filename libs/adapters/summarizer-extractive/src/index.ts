export { extractiveSummarizer } from './extractive-summarizer.js';
export { type AloneRequest, summarizerAlone } from './summarize-alone.js';
