import { AppError } from '@app/kernel';

/** `problem`: a description with the file and the offset in it. */
export const folderDamaged = (problem: string): AppError =>
  new AppError(
    'data-folder-damaged',
    `${problem}: restore the data folder from a backup, or accept the loss with \`palimpsest eventstore start --accept-loss\``,
  );
