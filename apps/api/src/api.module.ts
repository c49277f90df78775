import type { Palimpsest } from '@app/platform';
import type { Access } from '@app/ports';
import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { CompactionRoutesModule } from './compactions/compactions.module.js';
import { AccessGuard } from './http/access.guard.js';
import { IdempotencyInterceptor } from './http/conditions/idempotency.interceptor.js';
import { RevisionInterceptor } from './http/conditions/revision.interceptor.js';
import { ProblemFilter } from './http/problem.filter.js';
import { SessionRoutesModule } from './sessions/sessions.module.js';
import { ACCESS, IDEMPOTENCY, IMPORTER, OUTCOMES, READ_MODELS } from './symbols.js';

/** What the API is made on: a started Palimpsest, and who tells whose keys they are. */
export type ApiParts = { readonly palimpsest: Palimpsest; readonly access: Access };

/** A request whose holder is gone waits so long for another. */
const LEASE_MS = 60_000;

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
    { provide: IMPORTER, useValue: palimpsest.importer },
    { provide: OUTCOMES, useValue: palimpsest.outcomes },
    { provide: IDEMPOTENCY, useValue: { keys: palimpsest.idempotencyKeys, leaseMs: LEASE_MS } },
    { provide: ACCESS, useValue: access },
  ],
  exports: [CommandBus, QueryBus, READ_MODELS, IMPORTER, OUTCOMES, IDEMPOTENCY, ACCESS],
});

export const apiModule = (parts: ApiParts) => {
  @Module({
    imports: [partsModule(parts), SessionRoutesModule, CompactionRoutesModule],
    providers: [
      { provide: APP_GUARD, useClass: AccessGuard },
      // The first is the outermost: what is kept of an answer has its revision.
      { provide: APP_INTERCEPTOR, useClass: IdempotencyInterceptor },
      { provide: APP_INTERCEPTOR, useClass: RevisionInterceptor },
      { provide: APP_FILTER, useClass: ProblemFilter },
    ],
  })
  class ApiModule {}
  return ApiModule;
};
