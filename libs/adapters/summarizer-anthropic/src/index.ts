export { type AnthropicOptions, anthropicSummarizer } from './anthropic-summarizer.js';
