import { type ModelOverride, requireModel } from '@app/domain';
import { AppError, type TenantId } from '@app/kernel';
import type { ModelRegistry } from '@app/ports';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../sessions/session-store.js';
import { type ModelView, modelView } from '../../tenants/model-view.js';
import type { TenantStore } from '../../tenants/tenant-store.js';

/** A tenant's own word on a model, whole: what it leaves out is as the installation has it. */
export class DescribeModel extends Command<ModelView> {
  constructor(
    readonly tenant: TenantId,
    readonly model: ModelOverride,
    readonly caller: Caller,
  ) {
    super();
  }
}

@CommandHandler(DescribeModel)
export class DescribeModelHandler implements ICommandHandler<DescribeModel> {
  constructor(
    private readonly tenants: TenantStore,
    private readonly models: ModelRegistry,
  ) {}

  /**
   * @throws {AppError} `tenant-not-found`; `invalid-settings` for a new model without a window, or an unknown tokenizer;
   * `unknown-model` where another request removes the description meanwhile.
   */
  async execute({ tenant, model, caller }: DescribeModel): Promise<ModelView> {
    const { models, tokenizers } = await this.models.catalogFor(tenant);
    if (model.window === undefined && !models.some(({ id }) => id === model.id))
      throw new AppError('invalid-settings', 'nobody else knows this model: give its window in tokens');
    if (model.tokenizer !== undefined && !tokenizers.some(({ family }) => family === model.tokenizer))
      throw new AppError('invalid-settings', 'there is no tokenizer of that name');
    await this.tenants.execute(tenant, { type: 'DescribeModel', data: { tenantId: tenant, model } }, caller);
    return modelView(requireModel(await this.models.catalogFor(tenant), model.id).record);
  }
}
