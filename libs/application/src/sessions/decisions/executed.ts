import type { SessionEvent } from '@app/domain';
import type { Actor } from '@app/kernel';
import type { RequestScope } from '../requests/request-scope.js';
import type { Loaded } from './decide-all.js';

export type Executed = Loaded & {
  readonly events: readonly SessionEvent[];
  /** Ids of the events recorded, in order. */
  readonly ids: readonly string[];
};
export type Caller = {
  readonly actor: Actor;
  readonly causationId?: string | undefined;
  /** Scope of the caller's request; absent if each command stands alone. */
  readonly request?: RequestScope;
};
