import { setFlagsFromString } from 'node:v8';

/** Percent of what was alive after a collection. V8 itself goes by its own speed, up to 300. */
const GROWTH_MAX = 50;

/**
 * Lets the heap grow by half between two collections of all of it, and no more. Left alone, a heap that is nearly empty of
 * garbage in a collection may quadruple before the next: a service then holds what it needs several times over, and its
 * memory says nothing of what it needs. For programs; to be called before they do anything else.
 */
export const boundHeapGrowth = (percent: number = GROWTH_MAX): void =>
  setFlagsFromString(`--heap-growing-percent=${percent}`);
