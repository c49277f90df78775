/** Awaited after each part of long work: a process can serve others then. */
export type Turn = () => Promise<void> | undefined;

/** For a process without other work. */
export const noTurn: Turn = () => undefined;
