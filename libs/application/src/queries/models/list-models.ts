import type { TenantId } from '@app/kernel';
import type { ModelRegistry } from '@app/ports';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type ModelView, modelView } from '../../tenants/model-view.js';

/** Lists the models that a tenant can use. */
export class ListModels extends Query<readonly ModelView[]> {
  constructor(readonly tenant: TenantId) {
    super();
  }
}

@QueryHandler(ListModels)
export class ListModelsHandler implements IQueryHandler<ListModels> {
  constructor(private readonly models: ModelRegistry) {}

  async execute({ tenant }: ListModels): Promise<readonly ModelView[]> {
    const { models } = await this.models.catalogFor(tenant);
    return models.map(modelView);
  }
}
