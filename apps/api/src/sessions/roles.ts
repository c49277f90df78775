import type { Role } from '@app/ports';

/** Who works with sessions. */
export const WRITERS: readonly Role[] = ['agent', 'admin'];
/** Who may also look after those of others. */
export const MANAGERS: readonly Role[] = ['agent', 'operator', 'admin'];
/** Who may read what was recorded of them, content included. */
export const READERS: readonly Role[] = ['agent', 'operator', 'auditor', 'admin'];
