import type { Actor, Event, IsoTime } from '@app/kernel';
import type { TenantRetention } from '../retention.js';

/** How long sessions are kept that are opened from now on: all defaults, in the place of the ones before. */
export type RetentionDefaultsSet = Event<
  'RetentionDefaultsSet',
  TenantRetention & { setBy: Actor; setAt: IsoTime }
>;
