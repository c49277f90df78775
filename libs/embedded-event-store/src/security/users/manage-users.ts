import { AppError } from '@app/kernel';
import { openFolder } from '../../storage/open-folder.js';
import { GrpcFailure } from '../../wire/grpc-failure.js';
import { Users } from './users.js';

/**
 * Changes the users of a stopped server's folder, for example to reset a forgotten password.
 * @throws {AppError} `user-not-found`, `user-exists`, `invalid-id`, `data-folder-in-use`, `data-folder-newer`,
 * `data-folder-unusable`, `disk-full`.
 */
export const manageUsers = async <Result>(
  dataDir: string,
  manage: (users: Users) => Promise<Result>,
): Promise<Result> => {
  const { engine, lock } = await openFolder(dataDir);
  try {
    return await manage(new Users(engine, (puts) => engine.commit(puts)));
  } catch (fault) {
    throw asAppError(fault);
  } finally {
    await engine.close();
    lock.release();
  }
};

const asAppError = (fault: unknown): unknown => {
  if (!(fault instanceof GrpcFailure)) return fault;
  const isMissing = fault.metadata.get('exception')[0] === 'user-not-found';
  return new AppError(isMissing ? 'user-not-found' : 'user-exists', fault.details, { cause: fault });
};
