import type { Role } from '@app/ports';

/** Roles that may write to sessions. */
export const WRITERS: readonly Role[] = ['agent', 'admin'];
/** Roles that may manage sessions. */
export const MANAGERS: readonly Role[] = ['agent', 'operator', 'admin'];
/** Roles that may read sessions. Text additionally requires the permission `content:read`. */
export const READERS: readonly Role[] = ['agent', 'operator', 'auditor', 'admin'];
