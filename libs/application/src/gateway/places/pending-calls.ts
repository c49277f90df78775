import type { GatewayCall } from '../gateway-call.js';
import type { Digest } from './chains.js';

/** Calls of this process that wait for an answer, by history. */
export class PendingCalls {
  private readonly calls = new Map<string, Set<GatewayCall>>();

  /** Adds a call until it is aborted; returns `false` if another call with the same history is pending. */
  add(call: GatewayCall, history: Digest): boolean {
    const key = `${call.tenant} ${history}`;
    const calls = this.calls.get(key) ?? new Set();
    const isOnly = calls.size === 0 || (calls.size === 1 && calls.has(call));
    if (call.signal.aborted || calls.has(call)) return isOnly;
    this.calls.set(key, calls.add(call));
    const leave = (): void => {
      calls.delete(call);
      if (calls.size === 0 && this.calls.get(key) === calls) this.calls.delete(key);
    };
    call.signal.addEventListener('abort', leave, { once: true });
    return isOnly;
  }
}
