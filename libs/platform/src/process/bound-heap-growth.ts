import { setFlagsFromString } from 'node:v8';

/** Heap growth in percent of the live heap after a full collection; V8 adapts it up to 300 by default. */
const GROWTH_MAX = 50;

/**
 * Limits heap growth between two full garbage collections. By default, a heap may quadruple, so that a service uses several
 * times the memory that it needs. For programs only; call it first.
 */
export const boundHeapGrowth = (percent: number = GROWTH_MAX): void =>
  setFlagsFromString(`--heap-growing-percent=${percent}`);
