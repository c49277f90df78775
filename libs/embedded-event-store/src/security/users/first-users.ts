import { ROLE_ADMINS, ROLE_OPERATIONS } from '../acl/acl.js';
import { generatePassword } from './password.js';
import type { Users } from './users.js';

/** The passwords that the first users are to have; generated where nothing is given. */
export type FirstPasswords = { readonly admin?: string | undefined; readonly ops?: string | undefined };

/**
 * Makes the users `admin` and `ops`, as EventStoreDB does at its first start; nothing where somebody administers.
 * Returns the passwords that were generated: nobody can tell them later.
 */
export const createFirstUsers = async (users: Users, given: FirstPasswords): Promise<FirstPasswords> => {
  if (users.list().some(({ groups }) => groups.includes(ROLE_ADMINS))) return {};
  const generated: { admin?: string; ops?: string } = {};
  if (!users.find('ops')) {
    if (given.ops === undefined) generated.ops = generatePassword();
    const profile = { login: 'ops', fullName: 'Event Store Operations', groups: [ROLE_OPERATIONS] };
    await users.create(profile, given.ops ?? generated.ops ?? '');
  }
  // The administrator comes last: a start that was killed in between is made up for by the next one.
  if (given.admin === undefined) generated.admin = generatePassword();
  const profile = { login: 'admin', fullName: 'Event Store Administrator', groups: [ROLE_ADMINS] };
  await users.create(profile, given.admin ?? generated.admin ?? '');
  return generated;
};
