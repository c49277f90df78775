import { Module } from '@nestjs/common';
import { ModelsController } from './models.controller.js';

/** Model facts and the tenant's overrides of them. */
@Module({
  controllers: [ModelsController],
})
export class ModelRoutesModule {}
