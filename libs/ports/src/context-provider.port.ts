import type { SessionId, TenantId } from '@app/kernel';

/**
 * Gives every request something that is no part of the conversation: the time, the state of a workspace, what a search has
 * found. It is computed anew for every request, counted in it, and never summarized.
 *
 * Time: a request waits for it; `signal` ends that. Errors: whatever it throws, or a late answer, leaves it out of the
 * request, and the request's event names it. Privacy: its text reaches the provider of the model, and no log.
 */
export interface ContextProvider {
  /** Letters, digits, dots, dashes and underscores, at most 64, and no other provider's. */
  readonly name: string;
  /** `undefined` or a blank text where there is nothing to say. */
  contribute(
    ref: { readonly tenant: TenantId; readonly session: SessionId },
    signal: AbortSignal,
  ): Promise<string | undefined>;
}
