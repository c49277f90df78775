import type { SummarizerIdentity } from '@app/domain';
import type { Tokens } from '@app/kernel';
import { shippedPrompts } from '@app/prompts';
import OpenAI from 'openai';

export type OpenAiOptions = {
  readonly apiKey: string;
  /** Where the API is, or a server that speaks like it, `/v1` included; OpenAI's own where it is not given. */
  readonly baseUrl?: string;
  readonly model: string;
  /** Whether it is the session's own model: then a session's request can be repeated for its cache. */
  readonly isSessionModel: boolean;
  /** The model's longest answer, in tokens, where it is known. */
  readonly maxOutput?: number;
  /** What one call may be shown, by the session's counter; any length where nobody knows the window. */
  readonly inputMax?: Tokens;
};

/** Whoever calls ends a call by its signal; this is for a caller that never does. */
const TIMEOUT_MS = 600_000;

export const openAiClient = ({ apiKey, baseUrl }: OpenAiOptions): OpenAI =>
  new OpenAI({
    apiKey,
    // What the environment says of these is for other programs of whoever set it.
    organization: null,
    project: null,
    baseURL: baseUrl ?? 'https://api.openai.com/v1',
    maxRetries: 0,
    timeout: TIMEOUT_MS,
    logLevel: 'off', // Its debug lines hold bodies.
  });

export const identityOf = (name: string, { model }: OpenAiOptions): SummarizerIdentity => ({
  name,
  model,
  promptVersion: shippedPrompts().version,
  deterministic: false,
});

/** A model that thinks pays for its thoughts out of the same room. */
const ROOM_FOR_THINKING = 16_000;
const UNKNOWN_OUTPUT_MAX = 8_192;

/** Tokens of the answer, at most. */
export const answerMax = ({ maxOutput = UNKNOWN_OUTPUT_MAX }: OpenAiOptions, sizeMax: number): number =>
  Math.min(maxOutput, sizeMax * 2 + ROOM_FOR_THINKING);
