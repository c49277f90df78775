import { createHash } from 'node:crypto';

const STEP_TOKENS = 128;
const MIN_TOKENS = 1_024;

/** OpenAI's automatic cache: the longest common prefix with an earlier prompt, from 1,024 tokens in steps of 128. */
export class PrefixCache {
  private readonly bytesPerToken: number;
  private readonly known = new Set<string>();

  constructor(bytesPerToken: number) {
    this.bytesPerToken = bytesPerToken;
  }

  /** Returns the tokens that a prompt reads from the cache, and the tokens that it adds. */
  account(prompt: string): { readonly cached: number; readonly written: number } {
    const bytes = Buffer.from(prompt);
    const hash = createHash('sha256');
    let cached = 0;
    let held = 0;
    let at = 0;
    for (let tokens = STEP_TOKENS; ; tokens += STEP_TOKENS) {
      const end = Math.floor(tokens * this.bytesPerToken);
      if (end > bytes.length) break;
      hash.update(bytes.subarray(at, end));
      at = end;
      if (tokens < MIN_TOKENS) continue;
      const digest = hash.copy().digest('base64url');
      if (this.known.has(digest)) cached = tokens;
      else this.known.add(digest);
      held = tokens;
    }
    return { cached, written: held - cached };
  }
}
