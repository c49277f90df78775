// A program that spawns the event store as a process does not load it, with LMDB and gRPC: each call here does.

import type { startEventStore as start } from './process/start-event-store.js';
import type { manageUsers as manage } from './security/users/manage-users.js';
import type { verifyFolder as verify } from './storage/verify-folder.js';

export const startEventStore: typeof start = async (...given) =>
  (await import('./process/start-event-store.js')).startEventStore(...given);

export const manageUsers: typeof manage = async (...given) =>
  (await import('./security/users/manage-users.js')).manageUsers(...given);

export const verifyFolder: typeof verify = async (...given) =>
  (await import('./storage/verify-folder.js')).verifyFolder(...given);
