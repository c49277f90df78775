import { ServerInterceptingCall, type ServerInterceptor } from '@grpc/grpc-js';

/** Bytes of one call that may be on their way to the socket before the next message is held back. */
const UNSENT_BYTES_MAX = 64 * 1024;

/**
 * Lets the messages of a call go to the socket together. On its own, grpc-js hands over a message only when the one
 * before has left, which takes a turn of the event loop each; so, all that is written in one turn leaves in one.
 */
export const pipelined: ServerInterceptor = (_method, call) => new PipelinedCall(call);

class PipelinedCall extends ServerInterceptingCall {
  #unsentBytes = 0;
  #held: (() => void) | undefined;

  /** `message`: encoded already, as all of our answers are. */
  override sendMessage(message: Buffer, ready: () => void): void {
    this.#unsentBytes += message.length;
    super.sendMessage(message, () => {
      this.#unsentBytes -= message.length;
      this.#release();
    });
    this.#held = ready;
    this.#release();
  }

  #release(): void {
    if (this.#unsentBytes >= UNSENT_BYTES_MAX) return;
    const held = this.#held;
    this.#held = undefined;
    held?.();
  }
}
