import type { Palimpsest } from '@app/platform';
import type { Access } from '@app/ports';
import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { AccessGuard } from './http/access.guard.js';
import { ProblemFilter } from './http/problem.filter.js';
import { OperatingRoutesModule } from './operating/operating.module.js';
import { ProjectionRoutesModule } from './projections/projections.module.js';
import { SessionRoutesModule } from './sessions/sessions.module.js';
import { ACCESS, OPERATIONS, READ_MODELS } from './symbols.js';

/** What the API is made on: a started Palimpsest, and who tells whose keys they are. */
export type ApiParts = { readonly palimpsest: Palimpsest; readonly access: Access };

@Module({})
class PartsModule {}

/** The parts, for whoever asks for them by name. */
const partsModule = ({ palimpsest, access }: ApiParts): DynamicModule => ({
  module: PartsModule,
  global: true,
  providers: [
    { provide: CommandBus, useValue: palimpsest.commands },
    { provide: QueryBus, useValue: palimpsest.queries },
    { provide: READ_MODELS, useValue: palimpsest.readModels },
    { provide: OPERATIONS, useValue: palimpsest.operations },
    { provide: ACCESS, useValue: access },
  ],
  exports: [CommandBus, QueryBus, READ_MODELS, OPERATIONS, ACCESS],
});

export const apiModule = (parts: ApiParts) => {
  @Module({
    imports: [partsModule(parts), OperatingRoutesModule, ProjectionRoutesModule, SessionRoutesModule],
    providers: [
      { provide: APP_GUARD, useClass: AccessGuard },
      { provide: APP_FILTER, useClass: ProblemFilter },
    ],
  })
  class ApiModule {}
  return ApiModule;
};
