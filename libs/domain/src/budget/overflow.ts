/** The known details of an error that a provider or its client reported. */
export type ProviderError = {
  readonly message: string;
  /** HTTP status. */
  readonly status?: number;
  /** The provider's name for the error: `type`, or `code`. */
  readonly code?: string;
};

/** Codes and texts of providers for a request that does not fit the window. */
const OVERFLOW: readonly RegExp[] = [
  /context_length_exceeded|model_context_window_exceeded|request_too_large/,
  /prompt is too long/i, // Anthropic: "prompt is too long: N tokens > M maximum".
  /exceeds? context limit/i, // Anthropic, older models: "input length and `max_tokens` exceed context limit".
  /exceeds the context window/i, // OpenAI, Responses.
  /maximum context length/i, // OpenAI's chat, Mistral, vLLM and others.
  /input is too long for requested model/i, // Bedrock.
  /input token count.*exceeds the maximum/is, // Google.
  /maximum prompt length is \d+/i, // xAI.
  /reduce the length of the messages/i, // Groq.
  /prompt token count of \d+ exceeds the limit/i, // Copilot.
  /exceeds the available context size/i, // llama.cpp.
  /greater than the context length/i, // LM Studio.
  /(?:content|payload|request entity) too large/i,
  /^\s*413\b/, // Made by the edge: there may be nothing else.
];

/** Codes and texts that say: later. Some of them speak of too many tokens, and a smaller request would be as late. */
const LATER: readonly RegExp[] = [
  /rate[\s_-]*limit/i,
  /throttl/i,
  /too many (?:requests|tokens)/i,
  /(?:tokens|requests) per (?:min|minute|day|hour)|\b[TR]P[MD]\b/i,
  /quota|overloaded|service unavailable/i,
];
const LATER_STATUS: ReadonlySet<number> = new Set([429, 503, 529]);

/**
 * Returns whether a provider rejected a request because it exceeds the model's window. Rate limits and throttling
 * never count, even if their text mentions tokens: a compaction would lose context for no gain.
 */
export const isOverflow = ({ message, status, code = '' }: ProviderError): boolean => {
  const says = (patterns: readonly RegExp[]): boolean =>
    patterns.some((pattern) => pattern.test(message) || pattern.test(code));
  if (says(LATER) || (status !== undefined && LATER_STATUS.has(status))) return false;
  return status === 413 || says(OVERFLOW);
};
