import type { JsonObject } from '@app/kernel';
import type { WireFailure } from '../failure.js';
import type { Frame } from './frames.js';

/**
 * How the gateway answers calls of the recall tool in one of the provider APIs: the client gets one answer for all rounds,
 * without those calls.
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
  /** A frame of the current round. Those that end it are held. */
  readonly take: (frame: Frame) => string;
  /** The current round is over, and another one follows. */
  readonly next: () => string;
  /** The last round is over: what was held, with the bill of its input and of the output of all rounds. */
  readonly end: () => string;
  /** The rest fails: an error in place of the end. */
  readonly fail: (failure: WireFailure) => string;
};
