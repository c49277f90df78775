import { Inject } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';

/** A controller whose endpoints are commands and queries. */
export abstract class BusController {
  @Inject(CommandBus) protected readonly commands!: CommandBus;
  @Inject(QueryBus) protected readonly queries!: QueryBus;
}
