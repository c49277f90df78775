import { Module } from '@nestjs/common';
import { ErasurePolicyController } from './erasure-policy.controller.js';
import { ReadErasuresController } from './read-erasures.controller.js';
import { RequestErasureController } from './request-erasure.controller.js';

@Module({ controllers: [ErasurePolicyController, ReadErasuresController, RequestErasureController] })
export class ErasureRoutesModule {}
