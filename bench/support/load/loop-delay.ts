import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Event loop delays since the previous call, in milliseconds. */
export type LoopDelay = { readonly p50Ms: number; readonly p99Ms: number; readonly maxMs: number };

/** Returns a function that returns the delays of this thread since its previous call; its first call starts the measurement. */
export const watchDelays = (): (() => LoopDelay) => {
  const loop = monitorEventLoopDelay({ resolution: 1 }); // Nanoseconds, sampled every millisecond.
  return () => {
    const [p50Ms = 0, p99Ms = 0, maxMs = 0] = [loop.percentile(50), loop.percentile(99), loop.max].map(
      (nanoseconds) => nanoseconds / 1e6,
    );
    loop.enable();
    loop.reset();
    return { p50Ms, p99Ms, maxMs };
  };
};
