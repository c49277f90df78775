import { open } from 'node:fs/promises';
import { timeIn } from './times.js';

/** Enough for the first record of every agent, and little to read of a thousand files. */
const HEAD_BYTES = 64 * 1024;

/** What the beginning of a session's file says of it. */
export type Head = {
  readonly id: string | undefined;
  readonly project: string | undefined;
  /** ISO 8601. */
  readonly startedAt: string | undefined;
};

/** @throws what reading the file does. */
export const headOf = async (file: string): Promise<Head> => {
  const handle = await open(file);
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const text = buffer.subarray(0, bytesRead).toString('utf8');
    return {
      id: memberIn(text, 'sessionId') ?? memberIn(text, 'id'),
      project: memberIn(text, 'cwd') ?? memberIn(text, 'directory'),
      startedAt: timeIn(memberIn(text, 'startTime') ?? memberIn(text, 'timestamp') ?? createdIn(text)),
    };
  } finally {
    await handle.close();
  }
};

/** The first text that is a member of this name. Its quotes are none of a text's within a text: those are escaped. */
const memberIn = (text: string, name: string): string | undefined => {
  const found = new RegExp(`"${name}"\\s*:\\s*("(?:[^"\\\\]|\\\\.)*")`).exec(text)?.[1];
  if (found === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(found);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
};

/** Milliseconds, as OpenCode has them. */
const createdIn = (text: string): number | undefined => {
  const found = /"created"\s*:\s*(\d{10,16})/.exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
};
