import type { TenantId } from '@app/kernel';

/** Provider whose API the gateway calls. */
export type UpstreamProvider = 'anthropic' | 'openai';

/** A request to a provider: the client's request without hop-by-hop headers; the body may differ. */
export type UpstreamRequest = {
  readonly provider: UpstreamProvider;
  /** Behind the base URL, such as `/v1/messages`, with its query. */
  readonly path: string;
  /** In lower case, without hop-by-hop headers. */
  readonly headers: Readonly<Record<string, string>>;
  /** A text or its UTF-8 bytes, sent by POST; without a body the request is a GET. */
  readonly body?: string | Uint8Array;
  readonly tenant: TenantId;
  /** Whether the client's headers contain the provider's key; else the upstream's own is used. */
  readonly bringsKey: boolean;
  readonly signal: AbortSignal;
};
/** The streamed response. A body that is not read to its end must be aborted by the signal. */
export type UpstreamAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: AsyncIterable<Uint8Array>;
};

/** The providers behind the gateway, each one server or a chain of them, as configured. */
export interface Upstream {
  /**
   * Sends a request to the first server of its provider that accepts it: the next one is tried if one is unreachable
   * or temporarily unavailable. If none accepts it, returns the last response.
   *
   * @throws {AppError} `upstream-unreachable`, `upstream-key-missing`.
   */
  send(request: UpstreamRequest): Promise<UpstreamAnswer>;
}

/** Returns a tenant's secret by name; `undefined` without one. */
export type ReadSecret = (tenant: TenantId, name: string) => Promise<string | undefined>;
