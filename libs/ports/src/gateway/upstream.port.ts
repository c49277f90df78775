import type { TenantId } from '@app/kernel';

/** Whose API is asked. */
export type UpstreamProvider = 'anthropic' | 'openai';

/** A request to a provider: what the client sent, but for the body, and for what only this hop is told. */
export type UpstreamRequest = {
  readonly provider: UpstreamProvider;
  /** Behind the base URL, such as `/v1/messages`, with its query. */
  readonly path: string;
  /** In lower case. Without those of this hop. */
  readonly headers: Readonly<Record<string, string>>;
  /** Sent by POST; where there is none, the request is a GET. */
  readonly body?: string;
  readonly tenant: TenantId;
  /** Whether the client has given the provider’s key in its headers; else the upstream’s own takes its place. */
  readonly bringsKey: boolean;
  readonly signal: AbortSignal;
};
/** As it comes. What is not read of the body is to be ended by the signal. */
export type UpstreamAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: AsyncIterable<Uint8Array>;
};

/** The providers behind the gateway, each one server or a chain of them, as configured. */
export interface Upstream {
  /**
   * Sends a request to the first server of its provider that takes it: the next one is asked where one cannot be reached, or
   * answers that it is not able to now. Where none takes it, the last answer is the answer, whatever it says.
   *
   * @throws {AppError} `upstream-unreachable`, `upstream-key-missing`.
   */
  send(request: UpstreamRequest): Promise<UpstreamAnswer>;
}

/** A tenant's secret by its name; `undefined` where there is none. */
export type ReadSecret = (tenant: TenantId, name: string) => Promise<string | undefined>;
