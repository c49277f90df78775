import type { Digest } from '@app/formats';
import type { GatewayCall } from '../gateway-call.js';

/** Which histories wait for an answer in this process, and who asks. */
export class UnderWay {
  private readonly asking = new Map<string, Set<GatewayCall>>();

  /** Takes note of who asks until that one is gone, or has its answer. `false` where others ask for the same. */
  enter(call: GatewayCall, history: Digest): boolean {
    const key = `${call.tenant} ${history}`;
    const asking = this.asking.get(key) ?? new Set();
    const isAlone = asking.size === 0 || (asking.size === 1 && asking.has(call));
    if (call.signal.aborted || asking.has(call)) return isAlone;
    this.asking.set(key, asking.add(call));
    const leave = (): void => {
      asking.delete(call);
      if (asking.size === 0 && this.asking.get(key) === asking) this.asking.delete(key);
    };
    call.signal.addEventListener('abort', leave, { once: true });
    return isAlone;
  }
}
