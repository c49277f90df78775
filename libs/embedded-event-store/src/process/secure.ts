import type { ServerInterceptor } from '@grpc/grpc-js';
import type { EventLog } from '../log/event-log.js';
import { aclsOf } from '../security/acl/acls.js';
import { type Access, GuardedAccess, OPEN_ACCESS } from '../security/calls/access.js';
import { gate } from '../security/calls/gate.js';
import { type Certificates, loadCertificates } from '../security/tls/certificates.js';
import { Authenticator } from '../security/users/authenticator.js';
import { createFirstUsers, type FirstPasswords } from '../security/users/first-users.js';
import type { Users } from '../security/users/users.js';
import type { EventStoreOptions } from './options.js';

/** Authentication and access control of the server. */
export type Security = {
  readonly certificates: Certificates | undefined;
  readonly access: Access;
  readonly interceptors: readonly ServerInterceptor[];
  readonly generatedPasswords: FirstPasswords;
};

const NO_SECURITY: Security = {
  certificates: undefined,
  access: OPEN_ACCESS,
  interceptors: [],
  generatedPasswords: {},
};

/** @throws {AppError} `invalid-certificate`, `data-folder-unusable`. */
export const secure = async (options: EventStoreOptions, log: EventLog, users: Users): Promise<Security> => {
  if (!options.tls) return NO_SECURITY;
  const certificates = await loadCertificates(options.tls, options.dataDir);
  const generatedPasswords = await createFirstUsers(users, {
    admin: options.defaultAdminPassword,
    ops: options.defaultOpsPassword,
  });
  const access = new GuardedAccess(aclsOf(log.reader), options.allowAnonymousStreamAccess ?? false);
  return {
    certificates,
    access,
    interceptors: [gate(new Authenticator(users), access)],
    generatedPasswords,
  };
};
