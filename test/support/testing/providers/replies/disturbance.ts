import type { FailureName } from './failure.js';

/**
 * How OpenAI's Responses API words an error within a stream; clients differ in what they make of each. `flat`, the
 * default, is an error event with the members beside its type, then the failed response; `nested` has them in a member
 * of their own, and ends there; `failed` is the failed response alone.
 */
export type ErrorForm = 'flat' | 'nested' | 'failed';

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
  | {
      readonly kind: 'error';
      readonly afterEvents: number;
      readonly failure: FailureName;
      readonly form?: ErrorForm;
    }
  | { readonly kind: 'gate'; readonly afterEvents: number; readonly until: Promise<unknown> }
  | { readonly kind: 'drip'; readonly bytes: number; readonly everyMs: number };
