import { createHash } from 'node:crypto';
import { type PromptTexts, promptNamed } from '@app/domain';
import { canonicalJson, invariant } from '@app/kernel';
import { CommandOnTenant } from '../command-and-query.js';
import { Handler, HandlesCommand } from '../handlers.js';
import { type PromptView, promptView } from '../tenants/prompt-view.js';

/** Registers a version of a tenant's prompt; texts equal to the newest version add none. */
export class RegisterPrompt extends CommandOnTenant<
  { readonly name: string; readonly texts: PromptTexts },
  PromptView
> {}

@HandlesCommand(RegisterPrompt)
export class RegisterPromptHandler extends Handler<RegisterPrompt, 'tenants' | 'clock'> {
  /** @throws {AppError} `tenant-not-found`, `invalid-settings`. */
  async execute({ tenant, input: { name, texts }, caller }: RegisterPrompt): Promise<PromptView> {
    const hash = createHash('sha256').update(canonicalJson(texts)).digest('hex');
    const data = { tenantId: tenant, name, texts, hash, by: caller.actor, now: this.parts.clock.now() };
    const { state } = await this.parts.tenants.execute(tenant, { type: 'RegisterPrompt', data }, caller);
    invariant(state.status === 'registered', 'a prompt was registered of a tenant that is none');
    const newest = promptNamed(state.prompts, name);
    const registered = state.prompts.find((one) => one === newest);
    invariant(registered, 'a prompt that was registered is there');
    return promptView(registered);
  }
}
