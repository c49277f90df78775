import { AppError } from '@app/kernel';
import type { LogWitnesses, TransparencyLogs } from '@app/ports';
import { QueryOnTenant } from '../../command-and-query.js';
import { Handler, HandlesQuery } from '../../handlers.js';

/** Returns the witnesses of a tenant's transparency log. */
export class ListLogWitnesses extends QueryOnTenant<LogWitnesses> {}

@HandlesQuery(ListLogWitnesses)
export class ListLogWitnessesHandler extends Handler<
  ListLogWitnesses,
  never,
  { readonly logs: Pick<TransparencyLogs, 'witnesses'> }
> {
  /** @throws {AppError} `log-not-found`, `postgres-unavailable`. */
  async execute({ tenant }: ListLogWitnesses): Promise<LogWitnesses> {
    const found = await this.parts.logs.witnesses(tenant);
    if (found) return found;
    throw new AppError(
      'log-not-found',
      `the log of tenant "${tenant}" has no entry yet: open a session first`,
    );
  }
}
