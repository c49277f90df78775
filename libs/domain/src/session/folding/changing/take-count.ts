import type { RequestCounted } from '../../events.js';
import type { OpenSession } from '../../state.js';

/** A provider's count says of the whole request, up to here, what its bill would; that nobody could count says nothing new. */
export const takeCount = (state: OpenSession, { data }: RequestCounted): OpenSession => {
  if (data.counter !== 'provider') return state;
  const { tokens, contributed } = data;
  const { messages, request, usage } = state;
  return {
    ...state,
    request: { ...request, contributed },
    usage: { tokens, messages, contributed, isBilled: usage?.isBilled ?? false },
  };
};
