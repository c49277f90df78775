import type { Store } from '../../store.js';
import type { persistent } from '../../wire/definitions.js';
import { definitionOf } from './requests/definition-of.js';

/** Updates all settings but the filter. @throws {GrpcFailure} */
export const updateGroup = async ({ log, groups }: Store, request: persistent.UpdateReq): Promise<void> =>
  groups.update(definitionOf(log, request.getOptions()));
