import type { UntypedServiceImplementation } from '@grpc/grpc-js';
import type { Store } from '../store.js';

export const persistentHandlers = (_store: Store): UntypedServiceImplementation => ({});
