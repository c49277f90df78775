import type { SessionId, TenantId } from '@app/kernel';

/**
 * Contributes content to every request that is not part of the conversation: the time, the state of a workspace,
 * search results. It is computed for each request, counted in it, and never summarized.
 * Time: a request waits for it; `signal` aborts it. Errors: an error or a late result omits the contribution, and the
 * request's event names the provider. Privacy: the text is sent to the model's provider, and never logged.
 */
export interface ContextProvider {
  /** Letters, digits, dots, dashes and underscores, at most 64, and no other provider's. */
  readonly name: string;
  /** Returns `undefined` or a blank text for no contribution. */
  contribute(
    ref: { readonly tenant: TenantId; readonly session: SessionId },
    signal: AbortSignal,
  ): Promise<string | undefined>;
}
