/** Awaited after each part of long work: a process can serve others then. One without other work has none. */
export type YieldToLoop = () => Promise<void> | undefined;
