import { AppError } from '@app/kernel';

/** `problem`: what is wrong, with the file and the place in it. */
export const folderDamaged = (problem: string): AppError =>
  new AppError(
    'data-folder-damaged',
    `${problem}: restore the data folder from a backup, or go on without what is lost by \`palimpsest eventstore start --accept-loss\``,
  );
