export { extractiveSummarizer } from './extractive-summarizer.js';
