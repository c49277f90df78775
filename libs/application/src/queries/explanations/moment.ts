import type { IsoTime, Revision } from '@app/kernel';

/** Revision and time of an event. */
export type Moment = { readonly revision: Revision; readonly at: IsoTime };
