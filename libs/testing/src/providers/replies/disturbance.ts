import type { FailureName } from './failure.js';

/**
 * What happens to an answer on its way. Streamed, `afterEvents` events arrive whole before it happens; an answer
 * that is not streamed counts as one event, of which half arrives.
 *
 * - `cut`: the socket is destroyed in the middle of the next event.
 * - `end`: the stream ends cleanly, without its terminal event.
 * - `error`: the provider's error event, and the end; not streamed, the error is the answer's status.
 * - `garbage`: the next event is half its JSON, and the end.
 * - `stall`: half of the next event, and then nothing for ever.
 * - `gate`: nothing more until `until` settles, then the rest.
 * - `drip`: the bytes in pieces of `bytes`, cutting events and UTF-8 sequences alike, `everyMs` apart.
 */
export type Disturbance =
  | { readonly kind: 'cut' | 'end' | 'garbage' | 'stall'; readonly afterEvents: number }
  | { readonly kind: 'error'; readonly afterEvents: number; readonly failure: FailureName }
  | { readonly kind: 'gate'; readonly afterEvents: number; readonly until: Promise<unknown> }
  | { readonly kind: 'drip'; readonly bytes: number; readonly everyMs: number };
