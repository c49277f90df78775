import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** Returns the path of a program on the `PATH`; `undefined` if there is none. */
export const programOnPath = async (
  program: string,
  { PATH = '' }: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> => {
  for (const folder of PATH.split(delimiter).filter((one) => one !== '')) {
    const file = join(folder, program);
    const isThere = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return file;
  }
  return undefined;
};
