import type { Model } from './check.js';

export type StreamCall =
  | {
      readonly kind: 'append';
      readonly ids: readonly string[];
      readonly expected: number | 'any' | 'no-stream';
    }
  | { readonly kind: 'read' }
  /** The last event only. */
  | { readonly kind: 'tail' };
export type StreamResult =
  /** The revision of the last written event. */
  | { readonly kind: 'appended'; readonly last: number }
  | { readonly kind: 'conflict' }
  | { readonly kind: 'events'; readonly ids: readonly string[] };

/** A stream as the ids of its events in order. Every append has distinct ids. */
export const streamModel: Model<readonly string[], StreamCall, StreamResult> = {
  initial: [],
  keyOf: (ids) => `${ids.length} ${ids.at(-1) ?? ''}`,
  step: (ids, call, result) => {
    switch (call.kind) {
      case 'append': {
        const isExpected =
          call.expected === 'any' || ids.length === (call.expected === 'no-stream' ? 0 : call.expected + 1);
        const after = isExpected ? [...ids, ...call.ids] : ids;
        if (result === undefined) return after;
        if (result.kind === 'conflict') return isExpected ? undefined : ids;
        return isExpected && result.kind === 'appended' && result.last === after.length - 1
          ? after
          : undefined;
      }
      case 'read':
        return sameEvents(ids, result) ? ids : undefined;
      case 'tail':
        return sameEvents(ids.slice(-1), result) ? ids : undefined;
    }
  },
};

const sameEvents = (ids: readonly string[], result: StreamResult | undefined): boolean =>
  result === undefined ||
  (result.kind === 'events' &&
    result.ids.length === ids.length &&
    result.ids.every((id, at) => id === ids[at]));
