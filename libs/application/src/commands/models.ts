import { type ModelCatalog, type ModelOverride, overlaid, requireModel } from '@app/domain';
import { AppError } from '@app/kernel';
import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandOnTenant } from '../command-and-query.js';
import { HandlesCommand } from '../handlers.js';
import { type ModelView, modelView } from '../tenants/tenant-models.js';
import type { TenantStore } from '../tenants/tenant-store.js';

/** Sets the tenant's complete description of a model; absent fields keep the installed values. */
export class DescribeModel extends CommandOnTenant<ModelOverride, ModelView> {}

@HandlesCommand(DescribeModel, 'tenants', 'installed')
export class DescribeModelHandler implements ICommandHandler<DescribeModel> {
  constructor(
    private readonly tenants: TenantStore,
    /** Installed models, without descriptions of tenants. */
    private readonly installed: ModelCatalog,
  ) {}

  /**
   * Replaces the tenant's description of the model: the installation's own facts hold where the new one leaves a field out.
   *
   * @throws {AppError} `tenant-not-found`; `invalid-settings` for a model that is not installed and has no window, or an unknown
   * tokenizer.
   */
  async execute({ tenant, input: model, caller }: DescribeModel): Promise<ModelView> {
    const { models, tokenizers } = this.installed;
    if (model.window === undefined && !models.some(({ id }) => id === model.id))
      throw new AppError('invalid-settings', 'this model is not installed: give its window in tokens');
    if (model.tokenizer !== undefined && !tokenizers.some(({ family }) => family === model.tokenizer))
      throw new AppError('invalid-settings', 'unknown tokenizer: give the name of an installed one, or none');
    const command = { type: 'DescribeModel', data: { tenantId: tenant, model } } as const;
    await this.tenants.execute(tenant, command, caller);
    return modelView(requireModel(overlaid(this.installed, [model], 'tenant'), model.id).record);
  }
}

/** Removes the tenant's description of a model, so that the installed one applies again. */
export class ForgetModel extends CommandOnTenant<string, void> {}

@HandlesCommand(ForgetModel, 'tenants')
export class ForgetModelHandler implements ICommandHandler<ForgetModel> {
  constructor(private readonly tenants: TenantStore) {}

  /** @throws {AppError} `tenant-not-found`; `unknown-model` if the tenant has not described it. */
  async execute({ tenant, input: model, caller }: ForgetModel): Promise<void> {
    await this.tenants.execute(tenant, { type: 'ForgetModel', data: { tenantId: tenant, model } }, caller);
  }
}
