/**
 * Local servers that speak the wire formats of Anthropic, OpenAI and Google (`generateContent` alone), for tests that drive the
 * real clients. Imported as `@app/testing/providers`.
 *
 * ```ts
 * const server = await AnthropicServer.start({
 *   script: [answer('Hello'), answer(thinking('Two files.'), call('read', { path: 'a' }), call('read', { path: 'b' }))],
 *   windows: { 'claude-opus-4-6': 8_000 },
 * });
 * const client = new Anthropic({ apiKey: 'any', baseURL: server.url, maxRetries: 0 }); // OpenAI: `${server.url}/v1`
 * server.reply(fail('rate-limited', { retryAfter: { seconds: 1 } }), { ...answer('cut'), stop: 'max-tokens' });
 * server.requests[0]?.body; // also headers, path, status, usage, and `ended`: 'answered' or 'left'
 * await server.close();
 * ```
 *
 * **A script** is a list of replies, used in order, or a function of the request. Replies added with
 * {@link ProviderServer.reply} come first. Without a script the model answers "ok"; after the end of a list the server
 * answers 500. An invalid request gets the provider's error, and uses no reply of the script.
 *
 * **A reply** is an {@link Answer} or a {@link Failure}. An answer is streamed or not as the request asks; `stop` ends
 * it early, `outputTokens` sets its bill, and `disturbance` interferes with its transfer: a socket destroyed in the
 * middle of an event, an end without the terminal event, an error event, garbage, silence, a gate, a drip.
 *
 * **Usage** is computed, not scripted: a token is four bytes (`bytesPerToken`) of the prompt, and the prompt cache
 * serves a prefix only if an earlier request of this server had it.
 *
 * **Context management** is implemented, not scripted: Anthropic's clearing edits, its compaction at a threshold (the
 * summary is the reply's `compaction`) and on demand (the text of the scripted answer becomes the signed block),
 * OpenAI's compaction at a threshold, on its trigger item, and by `/v1/responses/compact` (each takes one reply from
 * the script). Thinking is signed over the content before it, and models that bind it reject it after other content;
 * `trustsForeignThinking` accepts thinking that no server of this kind has signed. An answer that exceeds the window
 * is truncated; one longer than `max_tokens` is not.
 *
 * Not observed at a provider: overflow, 413, 429, signed compaction blocks and non-empty applied edits. These follow
 * the documentation and the types of the clients.
 */
export { AnthropicServer } from './anthropic/anthropic-server.js';
export { GoogleServer } from './google/google-server.js';
export { OpenAiServer } from './openai/openai-server.js';
export type { Disturbance } from './replies/disturbance.js';
export { type FailureName, fail, type RetryAfter } from './replies/failure.js';
export {
  type Answer,
  answer,
  call,
  type Part,
  type Reply,
  redactedThinking,
  refusal,
  thinking,
  verbatim,
} from './replies/reply.js';
export { inputTokensOf, type RecordedRequest } from './server/recorded-request.js';
export type { TokenCount } from './values/token-count.js';
export { anthropicRefusal, openAiChatRefusal, openAiResponsesRefusal } from './verdicts.js';
