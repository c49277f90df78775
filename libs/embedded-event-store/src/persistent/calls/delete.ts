import type { Store } from '../../store.js';
import type { persistent } from '../../wire/definitions.js';
import { invalidArgument } from '../../wire/grpc-failure.js';
import { sourceOf } from './requests/source-of.js';

/** @throws {GrpcFailure} */
export const deleteGroup = async (store: Store, request: persistent.DeleteReq): Promise<void> => {
  const options = request.getOptions();
  if (!options) throw invalidArgument('the options are missing');
  await store.groups.delete(sourceOf(options), options.getGroupName());
};
