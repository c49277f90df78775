import { type Caller, isAdmin, isOperator } from '../acl/caller.js';

/** What a caller must be for a call, whatever it is about. */
type Requirement = (caller: Caller) => boolean;

const authenticated: Requirement = ({ kind }) => kind === 'user';

const PERSISTENT = '/event_store.client.persistent_subscriptions.PersistentSubscriptions/';
const PROJECTIONS = '/event_store.client.projections.Projections/';
const USERS = '/event_store.client.users.Users/';

/** The default policy of EventStoreDB, by the path of the method. A method that is not named is open to everybody. */
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

/** Whether `caller` may make the call at all; which streams it touches is asked later. */
export const mayCall = (caller: Caller, path: string): boolean => REQUIREMENTS.get(path)?.(caller) ?? true;
