import { Module } from '@nestjs/common';
import { ListProjectionsController } from './list-projections.controller.js';
import { SkipProjectionController } from './skip-projection.controller.js';

@Module({ controllers: [ListProjectionsController, SkipProjectionController] })
export class ProjectionRoutesModule {}
