import { ProtoWriter } from '@app/kernel';
import type { HandlersOf, usersService } from '../../wire/definitions.js';
import { asFailure, invalidArgument } from '../../wire/grpc-failure.js';
import { unary } from '../../wire/unary.js';
import { isAdmin } from '../acl/caller.js';
import type { Access } from '../calls/access.js';
import { accessDenied } from '../calls/failures.js';
import { isPassword } from './password.js';
import type { User } from './user.js';
import type { Users } from './users.js';

/**
 * The service Users. The gate admits administrators only (`calls/policy.ts`), except for changing one's own password
 * and reading one's own details.
 */
export const usersHandlers = (all: Users, access: Access): HandlersOf<typeof usersService> => ({
  create: unary(async (request) => {
    const options = required(request.getOptions());
    const profile = {
      login: options.getLoginName(),
      fullName: options.getFullName(),
      groups: options.getGroupsList(),
    };
    await all.create(profile, password(options.getPassword()));
  }),
  update: unary(async (request) => {
    const options = required(request.getOptions());
    const change = { fullName: options.getFullName(), groups: options.getGroupsList() };
    await all.change(options.getLoginName(), change);
    if (options.getPassword() !== '') await all.setPassword(options.getLoginName(), options.getPassword());
  }),
  delete: unary((request) => all.remove(loginOf(request.getOptions()))),
  enable: unary((request) => all.change(loginOf(request.getOptions()), { disabled: false })),
  disable: unary((request) => all.change(loginOf(request.getOptions()), { disabled: true })),
  resetPassword: unary((request) => {
    const options = required(request.getOptions());
    return all.setPassword(options.getLoginName(), password(options.getNewPassword()));
  }),
  changePassword: unary(async (request, metadata) => {
    const options = required(request.getOptions());
    const caller = access.callerOf(metadata);
    if (caller.kind !== 'user' || caller.name !== options.getLoginName()) throw accessDenied();
    const { password: current } = all.get(caller.name);
    if (!(await isPassword(options.getCurrentPassword(), current))) throw accessDenied();
    await all.setPassword(caller.name, password(options.getNewPassword()));
  }),
  details: (call) => {
    try {
      const login = call.request.getOptions()?.getLoginName() ?? '';
      const caller = access.callerOf(call.metadata);
      const isOwn = caller.kind === 'user' && caller.name === login;
      if (!isOwn && !isAdmin(caller)) throw accessDenied();
      for (const user of login === '' ? all.list() : [all.get(login)]) call.write(detailsOf(user));
      call.end();
    } catch (fault) {
      call.emit('error', asFailure(fault));
    }
  },
});

const TICKS_PER_MS = 10_000;

const required = <Options>(options: Options | undefined): Options => {
  if (options === undefined) throw invalidArgument('the options are missing');
  return options;
};
const loginOf = (options: { getLoginName(): string } | undefined): string => required(options).getLoginName();
const password = (text: string): string => {
  if (text === '') throw invalidArgument('a password must not be empty');
  return text;
};

const detailsOf = (user: User): Buffer => {
  const details = new ProtoWriter(256).string(1, user.login).string(2, user.fullName);
  for (const group of user.groups) details.string(3, group);
  details.bytes(4, new ProtoWriter().integer(1, user.updatedAt * TICKS_PER_MS).finish());
  return new ProtoWriter(300).bytes(1, details.boolean(5, user.disabled).finish()).finish();
};
