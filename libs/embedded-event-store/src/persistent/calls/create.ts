import type { Store } from '../../store.js';
import { filterSpecOf, matcherOf } from '../../streams/reads/event-filter.js';
import type { persistent } from '../../wire/definitions.js';
import { definitionOf } from './requests/definition-of.js';

/** @throws {GrpcFailure} */
export const createGroup = async ({ log, groups }: Store, request: persistent.CreateReq): Promise<void> => {
  const options = request.getOptions();
  const filterOptions = options?.getAll()?.getFilter();
  const filter = filterOptions && filterSpecOf(filterOptions);
  if (filter) matcherOf(filter); // Rejects an invalid regular expression.
  await groups.create(definitionOf(log, options, filter));
};
