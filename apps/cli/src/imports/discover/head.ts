import { open } from 'node:fs/promises';

/** Bytes that contain the first record of every supported agent's files. */
const HEAD_BYTES = 64 * 1024;

/** Fields in the first records of a session's file. */
type Head = {
  readonly id: string | undefined;
  readonly project: string | undefined;
  /** ISO 8601. */
  readonly startedAt: string | undefined;
};

/** @throws the error of reading the file. */
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

/** Returns the first string member with this name. Quotes inside strings are escaped and never match. */
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

/** Returns OpenCode's creation time in milliseconds. */
const createdIn = (text: string): number | undefined => {
  const found = /"created"\s*:\s*(\d{10,16})/.exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
};

/** Returns a time as ISO 8601 in UTC; `undefined` if it is invalid. */
const timeIn = (value: string | number | undefined): string | undefined => {
  if (value === undefined) return undefined;
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
};
