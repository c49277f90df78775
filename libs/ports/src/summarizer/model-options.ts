import type { Tokens } from '@app/kernel';

/** The model that a summarizer asks, and the server that it is asked at. */
export type ModelOptions = {
  readonly apiKey: string;
  /** Where the API is, or a server that speaks like it; the provider's own where it is not given. */
  readonly baseUrl?: string;
  readonly model: string;
  /** Whether it is the session's own model: then a session's request can be repeated for its cache. */
  readonly isSessionModel: boolean;
  /** The model's longest answer, in tokens, where it is known. */
  readonly maxOutput?: number;
  /** Maximum input of one call in counted tokens; unlimited if the window is unknown. */
  readonly inputMax?: Tokens;
};

/** Timeout for callers without a signal, in milliseconds. */
export const MODEL_TIMEOUT_MS = 600_000;

/** A model that thinks pays for its thoughts out of the same room. */
const ROOM_FOR_THINKING = 16_000;
const UNKNOWN_OUTPUT_MAX = 8_192;

/** Tokens of the answer, at most, for a summary of `sizeMax`: models count otherwise than the session's counter. */
export const answerMax = ({ maxOutput = UNKNOWN_OUTPUT_MAX }: ModelOptions, sizeMax: number): number =>
  Math.min(maxOutput, sizeMax * 2 + ROOM_FOR_THINKING);
