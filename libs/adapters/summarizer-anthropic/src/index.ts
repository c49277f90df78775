export { anthropicSummarizer } from './anthropic-summarizer.js';
