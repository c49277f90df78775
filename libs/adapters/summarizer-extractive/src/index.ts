export { extractiveSummarizer } from './extractive-summarizer.js';
export { summarizerAlone } from './summarize-alone.js';
