import type { Role } from '@app/ports';

/** Roles that may place and release legal holds, and set retention periods. */
export const KEEPERS: readonly Role[] = ['operator', 'admin'];
