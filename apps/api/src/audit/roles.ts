import type { Role } from '@app/ports';

/** Roles that may read the audit. */
export const READERS: readonly Role[] = ['auditor', 'operator', 'admin'];
