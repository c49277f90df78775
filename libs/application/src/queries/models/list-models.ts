import type { ModelRegistry } from '@app/ports';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { QueryOnTenant } from '../../command-and-query.js';
import { type ModelView, modelView } from '../../tenants/model-view.js';

/** Lists the models that a tenant can use. */
export class ListModels extends QueryOnTenant<readonly ModelView[]> {}

@QueryHandler(ListModels)
export class ListModelsHandler implements IQueryHandler<ListModels> {
  constructor(private readonly models: ModelRegistry) {}

  async execute({ tenant }: ListModels): Promise<readonly ModelView[]> {
    const { models } = await this.models.catalogFor(tenant);
    return models.map(modelView);
  }
}
