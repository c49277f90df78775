import { ROLE_ADMINS, ROLE_OPERATIONS } from '../acl/acl.js';
import { generatePassword } from './password.js';
import type { Users } from './users.js';

/** Passwords of the first users; generated if missing. */
export type FirstPasswords = { readonly admin?: string | undefined; readonly ops?: string | undefined };

/**
 * Creates the users `admin` and `ops`, as EventStoreDB does at its first start, unless there is an administrator.
 * Returns the generated passwords, which are stored only as hashes.
 */
export const createFirstUsers = async (users: Users, given: FirstPasswords): Promise<FirstPasswords> => {
  if (users.list().some(({ groups }) => groups.includes(ROLE_ADMINS))) return {};
  const generated: { admin?: string; ops?: string } = {};
  if (!users.find('ops')) {
    if (given.ops === undefined) generated.ops = generatePassword();
    const profile = { login: 'ops', fullName: 'Event Store Operations', groups: [ROLE_OPERATIONS] };
    await users.create(profile, given.ops ?? generated.ops ?? '');
  }
  // The administrator comes last: if a start is killed before that, the next one repeats it.
  if (given.admin === undefined) generated.admin = generatePassword();
  const profile = { login: 'admin', fullName: 'Event Store Administrator', groups: [ROLE_ADMINS] };
  await users.create(profile, given.admin ?? generated.admin ?? '');
  return generated;
};
