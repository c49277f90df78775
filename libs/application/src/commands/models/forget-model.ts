import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandOnTenant } from '../../command-and-query.js';
import type { TenantStore } from '../../tenants/tenant-store.js';

/** Removes the tenant's description of a model, so that the installed one applies again. */
export class ForgetModel extends CommandOnTenant<string, void> {}

@CommandHandler(ForgetModel)
export class ForgetModelHandler implements ICommandHandler<ForgetModel> {
  constructor(private readonly tenants: TenantStore) {}

  /** @throws {AppError} `tenant-not-found`; `unknown-model` if the tenant has not described it. */
  async execute({ tenant, input: model, caller }: ForgetModel): Promise<void> {
    await this.tenants.execute(tenant, { type: 'ForgetModel', data: { tenantId: tenant, model } }, caller);
  }
}
