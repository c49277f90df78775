import { type PromptTexts, promptNamed } from '@app/domain';
import { AppError, type TenantId } from '@app/kernel';
import { QueryOnTenant } from '../command-and-query.js';
import { Handler, HandlesQuery } from '../handlers.js';
import { type PromptView, promptView } from '../tenants/prompt-view.js';
import type { TenantStore } from '../tenants/tenant-store.js';

/** Lists all versions of the tenant's prompts in order of registration. */
export class ListOwnPrompts extends QueryOnTenant<readonly PromptView[]> {}

@HandlesQuery(ListOwnPrompts)
export class ListOwnPromptsHandler extends Handler<ListOwnPrompts, 'tenants'> {
  /** @throws {AppError} `tenant-not-found`. */
  async execute({ tenant }: ListOwnPrompts): Promise<readonly PromptView[]> {
    return (await promptsOf(this.parts.tenants, tenant)).map(promptView);
  }
}

export type PromptWithTexts = PromptView & { readonly texts: PromptTexts };

/** Returns a version of a prompt with its texts: `NAME` for the newest, or `NAME@VERSION`. */
export class ShowOwnPrompt extends QueryOnTenant<PromptWithTexts, string> {}

@HandlesQuery(ShowOwnPrompt)
export class ShowOwnPromptHandler extends Handler<ShowOwnPrompt, 'tenants'> {
  /** @throws {AppError} `tenant-not-found`, `prompt-not-found`. */
  async execute({ tenant, input: wanted }: ShowOwnPrompt): Promise<PromptWithTexts> {
    const prompts = await promptsOf(this.parts.tenants, tenant);
    const named = promptNamed(prompts, wanted);
    const found = prompts.find((one) => one === named);
    if (found) return { ...promptView(found), texts: found.texts };
    const names = [...new Set(prompts.map(({ name }) => name))].join(', ') || 'none';
    throw new AppError(
      'prompt-not-found',
      `there is no prompt "${wanted.slice(0, 80)}": the tenant has ${names}`,
    );
  }
}

const promptsOf = async (tenants: TenantStore, tenant: TenantId) => {
  const { state } = await tenants.load(tenant);
  if (state.status === 'registered') return state.prompts;
  throw new AppError('tenant-not-found', `there is no tenant "${tenant}"`);
};
