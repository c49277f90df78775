export { appendEvents, hasEvents, pairEvents, readEvents } from './archive/archive.js';
export { eventLine, eventOf } from './archive/event-line.js';
export { type CopyResult, copyEvents } from './copy/copy-events.js';
export type { CopyProgress } from './copy/progress.js';
export { isCopy } from './events/is-copy.js';
export type { LoggedEvent, RawEvent } from './events/raw-event.js';
