export { prefixPrompt } from './prefix-prompt.js';
export { type Prompt, type PromptSet, promptVersionOf, shippedPrompts } from './prompt-files.js';
export { type TranscriptPrompt, transcriptPrompt } from './transcript-prompt.js';
