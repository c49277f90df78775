import { Module } from '@nestjs/common';
import { DescribeModelController } from './describe-model.controller.js';
import { ForgetModelController } from './forget-model.controller.js';
import { ListModelsController } from './list-models.controller.js';
import { ShowModelController } from './show-model.controller.js';

/** Model facts and the tenant's overrides of them. */
@Module({
  controllers: [ListModelsController, ShowModelController, DescribeModelController, ForgetModelController],
})
export class ModelRoutesModule {}
