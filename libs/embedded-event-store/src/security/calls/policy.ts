import { type Caller, isAdmin, isOperator } from '../acl/caller.js';

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
export const mayCall = (caller: Caller, path: string): boolean => REQUIREMENTS.get(path)?.(caller) ?? true;
