import type { Actor, Event, IsoTime } from '@app/kernel';
import type { TenantRetention } from '../retention.js';

/** Retention of sessions opened from now on: replaces all earlier defaults. */
export type RetentionDefaultsSet = Event<
  'RetentionDefaultsSet',
  TenantRetention & { setBy: Actor; setAt: IsoTime }
>;
