import { Module } from '@nestjs/common';
import { DescribeModelController } from './describe-model.controller.js';
import { ForgetModelController } from './forget-model.controller.js';
import { ListModelsController } from './list-models.controller.js';
import { ShowModelController } from './show-model.controller.js';

/** What is known of models, and the tenant's own word on them. */
@Module({
  controllers: [ListModelsController, ShowModelController, DescribeModelController, ForgetModelController],
})
export class ModelRoutesModule {}
