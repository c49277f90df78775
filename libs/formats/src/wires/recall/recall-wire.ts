import type { JsonObject } from '@app/kernel';
import type { WireFailure } from '../failure.js';
import type { Frame } from './frames.js';

/**
 * Answers recall calls in one of the provider APIs: the client receives one answer for all rounds, without those
 * calls.
 */
export type RecallWire = {
  /** The tool in the form of this API. */
  readonly tool: JsonObject;
  /** Whether a request may be given the tool. */
  readonly mayHold: (body: JsonObject) => boolean;
  /** The answer of all rounds, oldest first, as the client gets it. */
  readonly joined: (rounds: readonly JsonObject[]) => JsonObject;
  readonly stream: () => StreamSplicer;
};

/** Makes one stream of the streams of several rounds: each method returns the text that the client gets now. */
export type StreamSplicer = {
  /** Takes a frame of the current round. Frames that end the round are held back. */
  readonly take: (frame: Frame) => string;
  /** The current round is over, and another one follows. */
  readonly next: () => string;
  /** Ends the last round: returns held frames, with the usage of its input and of all rounds' output. */
  readonly end: () => string;
  /** The rest fails: an error in place of the end. */
  readonly fail: (failure: WireFailure) => string;
};
