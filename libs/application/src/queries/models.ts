import { requireModel } from '@app/domain';
import { QueryOnTenant } from '../command-and-query.js';
import { Handler, HandlesQuery } from '../handlers.js';
import { type FoundModelView, type ModelView, modelView } from '../tenants/tenant-models.js';

/** Lists the models that a tenant can use. */
export class ListModels extends QueryOnTenant<readonly ModelView[]> {}

@HandlesQuery(ListModels)
export class ListModelsHandler extends Handler<ListModels, 'models'> {
  async execute({ tenant }: ListModels): Promise<readonly ModelView[]> {
    const { models } = await this.parts.models.catalogFor(tenant);
    return models.map(modelView);
  }
}

/** Returns the model of a name, with the tenant's description. */
export class ShowModel extends QueryOnTenant<FoundModelView, string> {}

@HandlesQuery(ShowModel)
export class ShowModelHandler extends Handler<ShowModel, 'models'> {
  /** @throws {AppError} `unknown-model`. */
  async execute({ tenant, input: model }: ShowModel): Promise<FoundModelView> {
    const { record, seller, rules } = requireModel(await this.parts.models.catalogFor(tenant), model);
    return { ...modelView(record), seller, rules };
  }
}
