import { Module } from '@nestjs/common';
import { ListProjectionsController } from './list-projections.controller.js';
import { ListStoppedStreamsController } from './list-stopped-streams.controller.js';
import { RetryProjectionController } from './retry-projection.controller.js';
import { SkipProjectionController } from './skip-projection.controller.js';

@Module({
  controllers: [
    ListProjectionsController,
    ListStoppedStreamsController,
    SkipProjectionController,
    RetryProjectionController,
  ],
})
export class ProjectionRoutesModule {}
