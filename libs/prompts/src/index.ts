export { NO_RESULT_YET, prefixPrompt } from './prefix-prompt.js';
export { promptVersionOf, shippedPrompts } from './prompt-files.js';
export { transcriptPrompt } from './transcript-prompt.js';
