import { type ModelOverride, overlaid, requireModel } from '@app/domain';
import { AppError } from '@app/kernel';
import { CommandOnTenant } from '../command-and-query.js';
import { Handler, HandlesCommand } from '../handlers.js';
import { type ModelView, modelView } from '../tenants/tenant-models.js';

/** Sets the tenant's complete description of a model; absent fields keep the installed values. */
export class DescribeModel extends CommandOnTenant<ModelOverride, ModelView> {}

@HandlesCommand(DescribeModel)
export class DescribeModelHandler extends Handler<DescribeModel, 'tenants' | 'installed'> {
  /**
   * Replaces the tenant's description of the model: the installation's own facts hold where the new one leaves a field out.
   *
   * @throws {AppError} `tenant-not-found`; `invalid-settings` for a model that is not installed and has no window, or an unknown
   * tokenizer.
   */
  async execute({ tenant, input: model, caller }: DescribeModel): Promise<ModelView> {
    const { models, tokenizers } = this.parts.installed;
    if (model.window === undefined && !models.some(({ id }) => id === model.id))
      throw new AppError('invalid-settings', 'this model is not installed: give its window in tokens');
    if (model.tokenizer !== undefined && !tokenizers.some(({ family }) => family === model.tokenizer))
      throw new AppError('invalid-settings', 'unknown tokenizer: give the name of an installed one, or none');
    const command = { type: 'DescribeModel', data: { tenantId: tenant, model } } as const;
    await this.parts.tenants.execute(tenant, command, caller);
    return modelView(requireModel(overlaid(this.parts.installed, [model], 'tenant'), model.id).record);
  }
}

/** Removes the tenant's description of a model, so that the installed one applies again. */
export class ForgetModel extends CommandOnTenant<string, void> {}

@HandlesCommand(ForgetModel)
export class ForgetModelHandler extends Handler<ForgetModel, 'tenants'> {
  /** @throws {AppError} `tenant-not-found`; `unknown-model` if the tenant has not described it. */
  async execute({ tenant, input: model, caller }: ForgetModel): Promise<void> {
    const data = { tenantId: tenant, model };
    await this.parts.tenants.execute(tenant, { type: 'ForgetModel', data }, caller);
  }
}
