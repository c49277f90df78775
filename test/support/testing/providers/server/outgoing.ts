import type { JsonObject } from '@app/kernel';
import type { Disturbance, ErrorForm } from '../replies/disturbance.js';
import type { FailureName } from '../replies/failure.js';

export type Headers = Readonly<Record<string, string>>;

/** The response to send. */
export type Outgoing =
  | {
      readonly kind: 'body';
      readonly status: number;
      readonly headers: Headers;
      readonly body: string;
      readonly disturbance?: Disturbance | undefined;
      readonly usage?: JsonObject | undefined;
    }
  | {
      readonly kind: 'stream';
      readonly headers: Headers;
      /** Server-sent events, each with its closing blank line. */
      readonly frames: readonly string[];
      /** Returns the provider's events for a failure within a stream. */
      readonly errorFrames: (failure: FailureName, form: ErrorForm | undefined) => readonly string[];
      readonly disturbance?: Disturbance | undefined;
      readonly usage?: JsonObject | undefined;
    }
  | { readonly kind: 'silence' | 'hang-up' };

export const json = (
  status: number,
  body: JsonObject,
  more: { readonly headers?: Headers; readonly disturbance?: Disturbance; readonly usage?: JsonObject } = {},
): Outgoing => ({
  kind: 'body',
  status,
  headers: { 'content-type': 'application/json', ...more.headers },
  body: JSON.stringify(body),
  disturbance: more.disturbance,
  usage: more.usage,
});
