import type { TenantId } from '@app/kernel';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../sessions/session-store.js';
import type { TenantStore } from '../../tenants/tenant-store.js';

/** Takes back what a tenant has said of a model: the installation's word counts again. */
export class ForgetModel extends Command<void> {
  constructor(
    readonly tenant: TenantId,
    readonly model: string,
    readonly caller: Caller,
  ) {
    super();
  }
}

@CommandHandler(ForgetModel)
export class ForgetModelHandler implements ICommandHandler<ForgetModel> {
  constructor(private readonly tenants: TenantStore) {}

  /** @throws {AppError} `tenant-not-found`, `unknown-model` where the tenant has said nothing of it. */
  async execute({ tenant, model, caller }: ForgetModel): Promise<void> {
    await this.tenants.execute(tenant, { type: 'ForgetModel', data: { tenantId: tenant, model } }, caller);
  }
}
