/** Why events of a stream are not copied. */
export type LeftOut = 'system' | 'users' | 'projections' | 'subscriptions';

/** Streams that every server writes for itself, by how their names begin. */
const BEGINNINGS: readonly (readonly [beginning: string, why: LeftOut])[] = [
  ['$epoch-information', 'system'],
  ['$scavenge', 'system'],
  ['$stats-', 'system'],
  ['$mem-', 'system'],
  ['$policies', 'users'],
  ['$authorization-policy-settings', 'users'],
  ['$users', 'users'],
  ['$user-', 'users'],
  ['$userPasswordNotifications', 'users'],
  ['$ce-', 'projections'],
  ['$et-', 'projections'],
  ['$bc-', 'projections'],
  ['$category-', 'projections'],
  ['$streams', 'projections'],
  ['$projections-', 'projections'],
  ['$persistentsubscription', 'subscriptions'],
];

/** The stream in which EventStoreDB's `$by_event_type` keeps its checkpoint. */
const EVENT_TYPE_CHECKPOINTS = '$et';

/**
 * Why the events of `stream` stay behind; `undefined` where they are copied. Copied are all streams of users with
 * their metadata, `$settings`, the metadata of `$all`, and streams with a `$` that no server writes by itself.
 */
export const leftOut = (stream: string): LeftOut | undefined => {
  const original = stream.startsWith('$$') ? stream.slice(2) : stream;
  if (!original.startsWith('$')) return undefined;
  if (original === EVENT_TYPE_CHECKPOINTS) return 'projections';
  const name = original.toLowerCase();
  return BEGINNINGS.find(([beginning]) => name.startsWith(beginning.toLowerCase()))?.[1];
};
