import type { Palimpsest } from '@app/platform';
import type { Access } from '@app/ports';
import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { AuditRoutesModule } from './audit/audit.module.js';
import { CompactionRoutesModule } from './compactions/compactions.module.js';
import { AccessGuard } from './http/access.guard.js';
import { ProblemFilter } from './http/problem.filter.js';
import { OperatingRoutesModule } from './operating/operating.module.js';
import { ProjectionRoutesModule } from './projections/projections.module.js';
import { SessionRoutesModule } from './sessions/sessions.module.js';
import { StreamRoutesModule } from './streaming/streaming.module.js';
import { ACCESS, EVENT_HUB, IMPORTER, OPERATIONS, OUTCOMES, READ_MODELS, STREAM_PACE } from './symbols.js';

/** What the API is made on: a started Palimpsest, and who tells whose keys they are. */
export type ApiParts = {
  readonly palimpsest: Palimpsest;
  readonly access: Access;
  /** How often a stream says that it is alive, where nothing else happens. */
  readonly heartbeatMs: number;
};

@Module({})
class PartsModule {}

/** The parts, for whoever asks for them by name. */
const partsModule = ({ palimpsest, access, heartbeatMs }: ApiParts): DynamicModule => ({
  module: PartsModule,
  global: true,
  providers: [
    { provide: CommandBus, useValue: palimpsest.commands },
    { provide: QueryBus, useValue: palimpsest.queries },
    { provide: READ_MODELS, useValue: palimpsest.readModels },
    { provide: OPERATIONS, useValue: palimpsest.operations },
    { provide: IMPORTER, useValue: palimpsest.importer },
    { provide: OUTCOMES, useValue: palimpsest.outcomes },
    { provide: ACCESS, useValue: access },
    { provide: EVENT_HUB, useValue: palimpsest.hub },
    { provide: STREAM_PACE, useValue: { heartbeatMs } },
  ],
  exports: [
    CommandBus,
    QueryBus,
    READ_MODELS,
    OPERATIONS,
    IMPORTER,
    OUTCOMES,
    ACCESS,
    EVENT_HUB,
    STREAM_PACE,
  ],
});

export const apiModule = (parts: ApiParts) => {
  @Module({
    imports: [
      partsModule(parts),
      SessionRoutesModule,
      CompactionRoutesModule,
      AuditRoutesModule,
      OperatingRoutesModule,
      ProjectionRoutesModule,
      StreamRoutesModule,
    ],
    providers: [
      { provide: APP_GUARD, useClass: AccessGuard },
      { provide: APP_FILTER, useClass: ProblemFilter },
    ],
  })
  class ApiModule {}
  return ApiModule;
};
