import { Module } from '@nestjs/common';
import { CompactionsController } from './compactions.controller.js';
import { RequestCompactionController } from './request-compaction.controller.js';

@Module({
  controllers: [CompactionsController, RequestCompactionController],
})
export class CompactionRoutesModule {}
