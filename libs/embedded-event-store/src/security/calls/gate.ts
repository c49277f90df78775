import { ServerInterceptingCall, type ServerInterceptor } from '@grpc/grpc-js';
import { asFailure } from '../../wire/grpc-failure.js';
import { type Caller, isAdmin, isOperator } from '../acl/caller.js';
import type { Authenticator } from '../users/authenticator.js';
import type { GuardedAccess } from './access.js';
import { accessDenied, notAuthenticated } from './failures.js';

/** Returns an interceptor that authenticates the caller, and rejects calls that their roles do not allow. */
export const gate =
  (authenticator: Authenticator, access: GuardedAccess): ServerInterceptor =>
  (method, call) => {
    const refuse = (fault: unknown): void => {
      const { code, details, metadata } = asFailure(fault);
      call.sendStatus({ code, details, metadata });
    };
    return new ServerInterceptingCall(call, {
      start: (next) =>
        next({
          onReceiveMetadata: (metadata, proceed) => {
            const admit = (caller: Awaited<ReturnType<Authenticator['callerOf']>>): void => {
              if (!caller) refuse(notAuthenticated());
              else if (!mayCall(caller, method.path)) refuse(accessDenied());
              else {
                access.admit(metadata, caller);
                proceed(metadata);
              }
            };
            const caller = authenticator.callerOf(metadata.get('authorization')[0]?.toString());
            if (caller instanceof Promise) caller.then(admit).catch(refuse);
            else admit(caller);
          },
        }),
    });
  };

/** The roles that a method requires, for any stream. */
type Requirement = (caller: Caller) => boolean;

const authenticated: Requirement = ({ kind }) => kind === 'user';

const PERSISTENT = '/event_store.client.persistent_subscriptions.PersistentSubscriptions/';
const PROJECTIONS = '/event_store.client.projections.Projections/';
const USERS = '/event_store.client.users.Users/';

/** EventStoreDB's default policy, by method path. Methods that are not listed are open to all callers. */
const REQUIREMENTS: ReadonlyMap<string, Requirement> = new Map([
  ...under(PERSISTENT, isOperator, ['Create', 'Update', 'Delete', 'ReplayParked', 'RestartSubsystem']),
  ...under(PERSISTENT, authenticated, ['Read', 'GetInfo', 'List']),
  ...under(PROJECTIONS, isOperator, ['Create', 'Update', 'Delete', 'Enable', 'Disable', 'Reset']),
  ...under(PROJECTIONS, isOperator, ['RestartSubsystem']),
  ...under(PROJECTIONS, authenticated, ['Statistics', 'State', 'Result']),
  ...under(USERS, isAdmin, ['Create', 'Update', 'Delete', 'Enable', 'Disable', 'ResetPassword']),
  ...under(USERS, authenticated, ['ChangePassword', 'Details']),
]);

function under(service: string, requirement: Requirement, methods: readonly string[]) {
  return methods.map((method) => [service + method, requirement] as const);
}

/** Whether `caller` may use the method; handlers check access to streams. */
const mayCall = (caller: Caller, path: string): boolean => REQUIREMENTS.get(path)?.(caller) ?? true;
