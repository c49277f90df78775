/**
 * Local servers that speak the wire formats of Anthropic and OpenAI, for tests that drive the real clients. Imported
 * as `@app/testing/providers`.
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
 * **A script** is a list of replies, used up one by one, or a function of the request. What {@link ProviderServer.reply}
 * adds comes before it. Without a script the model says "ok"; at the end of a list the server answers 500. A request
 * that breaks a rule is answered as the provider answers it, and uses up nothing of the script.
 *
 * **A reply** is an {@link Answer} or a {@link Failure}. An answer is streamed or not as the request asks; `stop` ends
 * it early, `outputTokens` sets its bill, and `disturbance` is what happens to it on its way: a socket destroyed in
 * the middle of an event, an end without the terminal event, an error event, garbage, silence, a gate, a drip.
 *
 * **Usage** is reckoned, not scripted: a token is four bytes (`bytesPerToken`) of the prompt, and the prompt cache
 * serves a prefix only where an earlier request of this server really had it.
 *
 * **Context management** is done, not scripted: Anthropic's clearing edits, its compaction at a threshold (the
 * summary is the reply's `compaction`) and on demand (the text of the scripted answer becomes the signed block),
 * OpenAI's compaction at a threshold, on its trigger item, and by `/v1/responses/compact` (each takes one reply from
 * the script). Thinking is signed over what stands before it, and refused behind anything else by the models that
 * bind it; `trustsForeignThinking` lets in what no server of this kind has signed. An answer that the window has no
 * room for is cut there; one that is longer than `max_tokens` is not.
 *
 * Nothing here was seen at a provider for: overflow, 413, 429, signed compaction blocks and non-empty applied edits.
 * Those follow the documentation and the types of the clients.
 */
export { AnthropicServer } from './anthropic/anthropic-server.js';
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
export type { RecordedRequest } from './server/recorded-request.js';
export type { TokenCount } from './values/token-count.js';
export { anthropicRefusal, openAiChatRefusal, openAiResponsesRefusal } from './verdicts.js';
