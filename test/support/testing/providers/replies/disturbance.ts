import type { FailureName } from './failure.js';

/**
 * The form of an error within an OpenAI Responses stream, which clients treat differently. `flat`, the default, is an
 * error event with the members beside its type, then the failed response; `nested` has them in a nested member, and
 * ends there; `failed` is only the failed response.
 */
export type ErrorForm = 'flat' | 'nested' | 'failed';

/**
 * A disturbance of an answer. In a stream `afterEvents` events arrive whole before it; an answer that is not streamed
 * counts as one event, of which half arrives.
 *
 * - `cut`: the socket is destroyed in the middle of the next event.
 * - `end`: the stream ends cleanly, without its terminal event.
 * - `error`: the provider's error event, and the end; not streamed, the error is the answer's status.
 * - `garbage`: the next event is half its JSON, and the end.
 * - `stall`: half of the next event, and then nothing.
 * - `gate`: nothing more until `until` settles, then the rest.
 * - `drip`: the bytes in pieces of `bytes`, splitting events and UTF-8 sequences, `everyMs` apart.
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
