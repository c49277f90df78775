import { serverStopping } from './grpc-failure.js';
import type { Outlet } from './outlet.js';

/** The streaming calls that are open, so that a stop can end them as a real server does: with CANCELLED. */
export class OpenCalls {
  readonly #outlets = new Set<Outlet>();
  #stopping = false;

  /** Keeps track of `outlet` until its call is over. */
  add(outlet: Outlet): void {
    if (this.#stopping) {
      outlet.fail(serverStopping());
      return;
    }
    this.#outlets.add(outlet);
    outlet.onEnd(() => this.#outlets.delete(outlet));
  }

  cancelAll(): void {
    this.#stopping = true;
    for (const outlet of this.#outlets) outlet.fail(serverStopping());
  }
}
