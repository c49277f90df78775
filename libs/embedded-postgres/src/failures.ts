import { AppError, codeOf, type ErrorCode } from '@app/kernel';

/** The alternative to the embedded server, which every one of these errors offers. */
export const OWN_SERVER = 'or name a server of your own in PALIMPSEST_POSTGRES_URL';

/**
 * Returns the `code` of a Node error. Checks the shape: an error from another realm is no instance of this `Error`.
 */
export const isErrno = (error: unknown, ...codes: readonly string[]): boolean =>
  codes.includes(codeOf(error) ?? '');
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Maps a failed file operation in the data folder to an error with a remedy. */
export const fileFailure = (error: unknown, dataDir: string): AppError => {
  if (error instanceof AppError) return error;
  const cause = { cause: error };
  if (isErrno(error, 'ENOSPC', 'EDQUOT')) return diskFull(dataDir, cause);
  if (codeOf(error) === undefined) return new AppError('internal', messageOf(error), cause);
  const text = `the data folder ${dataDir} is not usable (${messageOf(error)}); choose another one, ${OWN_SERVER}`;
  return new AppError('data-folder-unusable', text, cause);
};

const diskFull = (dataDir: string, options?: { readonly cause: unknown }): AppError =>
  new AppError('disk-full', `the disk that holds ${dataDir} is full: make room and start again`, options);

/** Maps the last lines of PostgreSQL or initdb to an error. `what` failed. */
export const serverFailure = (
  what: string,
  lines: readonly string[],
  where: { readonly dataDir: string; readonly port?: number },
): AppError => {
  const { dataDir, port } = where;
  const matchesLine = (pattern: RegExp): boolean => lines.some((line) => pattern.test(line));
  if (matchesLine(/No space left on device|Disk quota exceeded|could not extend file .*wrote only/))
    return diskFull(dataDir);
  if (matchesLine(/Address already in use/)) {
    return new AppError(
      'port-in-use',
      `port ${port} of 127.0.0.1 is in use: choose another one, or 0 for any free port`,
    );
  }
  const rule = MEANINGS.find(({ pattern }) => matchesLine(pattern));
  const code = rule?.code ?? 'postgres-unavailable';
  const advice = rule?.advice ?? `see server.log in ${dataDir}, ${OWN_SERVER}`;
  return new AppError(code, `${what}: ${informativeLine(lines)}; ${advice}`);
};

/** Whether processes of a previous server still use its shared memory, in which case a retry helps. */
export const isMemoryInUse = (lines: readonly string[]): boolean =>
  lines.some((line) => /pre-existing shared memory block/.test(line));

const MEANINGS: readonly { readonly pattern: RegExp; readonly code: ErrorCode; readonly advice: string }[] = [
  {
    pattern: /lock file "postmaster\.pid" already exists/,
    code: 'data-folder-in-use',
    advice: 'stop that server, or choose another data folder',
  },
  {
    pattern: /could not bind/,
    code: 'port-in-use',
    advice: 'choose another port, or 0 for any free port',
  },
  {
    pattern: /has wrong ownership|has invalid permissions|Permission denied|Read-only file system/,
    code: 'data-folder-unusable',
    advice: `make Palimpsest's user the owner of the folder, ${OWN_SERVER}`,
  },
  {
    pattern: /could not look up effective user ID/,
    code: 'data-folder-unusable',
    advice: `run as a user with an entry in /etc/passwd, ${OWN_SERVER}`,
  },
  {
    pattern: /database files are incompatible with server/,
    code: 'data-folder-newer',
    advice: 'use the Palimpsest version that wrote this folder',
  },
];

/**
 * Returns the most informative line: the reason of a bind failure, else the last FATAL or PANIC, else the last line.
 */
const informativeLine = (lines: readonly string[]): string => {
  const last = (pattern: RegExp): string | undefined => lines.findLast((line) => pattern.test(line));
  const line = last(/could not bind/) ?? last(/FATAL|PANIC/) ?? last(/error|ERROR/) ?? last(/\S/);
  return (line ?? 'it printed nothing').replace(/^.*?(?:FATAL|PANIC|LOG|ERROR|error):\s+/, '').trim();
};
