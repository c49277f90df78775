/** The reason why a stream's events are not copied. */
export type OmissionReason = 'system' | 'users' | 'projections' | 'subscriptions';

/** Prefixes of streams that every server writes itself. */
const PREFIXES: readonly (readonly [beginning: string, why: OmissionReason])[] = [
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

/** The checkpoint stream of EventStoreDB's `$by_event_type`. */
const EVENT_TYPE_CHECKPOINTS = '$et';

/**
 * Returns why the events of `stream` are not copied; `undefined` if they are. Copies all user streams with their
 * metadata, `$settings`, the metadata of $all, and `$` streams that no server writes itself.
 */
export const omissionReason = (stream: string): OmissionReason | undefined => {
  const original = stream.startsWith('$$') ? stream.slice(2) : stream;
  if (!original.startsWith('$')) return undefined;
  if (original === EVENT_TYPE_CHECKPOINTS) return 'projections';
  const name = original.toLowerCase();
  return PREFIXES.find(([beginning]) => name.startsWith(beginning.toLowerCase()))?.[1];
};
