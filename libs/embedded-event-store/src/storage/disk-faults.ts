import { AppError } from '@app/kernel';

const NO_ROOM = ['ENOSPC', 'EDQUOT', 'EFBIG', 'MDB_MAP_FULL'];
// LMDB reports EIO for a partly written page, which happens when a disk becomes full.
const NO_ROOM_NUMBERS = [
  5 /* EIO */, 28 /* ENOSPC */, 27 /* EFBIG */, 122 /* EDQUOT */, -30792 /* MDB_MAP_FULL */,
];
const NO_ACCESS = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EISDIR', 'ELOOP', 'EEXIST', 'ENAMETOOLONG'];
const NO_ACCESS_NUMBERS = [1 /* EPERM */, 13 /* EACCES */, 20 /* ENOTDIR */, 30 /* EROFS */];

/** Maps a fault of the file system or LMDB to an error with a remedy. `doing` completes “while …”. */
export const diskFault = (fault: unknown, folder: string, doing: string): AppError => {
  if (fault instanceof AppError) return fault;
  const { code, message } = describe(fault);
  if (
    matches(code, message, NO_ROOM, NO_ROOM_NUMBERS, /no space left|file too large|quota exceeded|map_full/i)
  )
    return new AppError('disk-full', `disk full while ${doing} in ${folder}: make room and try again`, {
      cause: fault,
    });
  if (matches(code, message, NO_ACCESS, NO_ACCESS_NUMBERS, /permission denied|read-only file system/i))
    return new AppError(
      'data-folder-unusable',
      `cannot use the data folder ${folder} (${message}): it must be a folder that this user may write`,
      { cause: fault },
    );
  return new AppError('internal', `storage fault while ${doing} in ${folder}: ${message}`, { cause: fault });
};

const describe = (fault: unknown): { code: unknown; message: string } =>
  fault instanceof Error
    ? { code: 'code' in fault ? fault.code : undefined, message: fault.message }
    : { code: undefined, message: String(fault) };

const matches = (
  code: unknown,
  message: string,
  names: readonly string[],
  numbers: readonly number[],
  text: RegExp,
): boolean =>
  (typeof code === 'string' && names.includes(code)) ||
  (typeof code === 'number' && numbers.includes(code)) ||
  text.test(message);
