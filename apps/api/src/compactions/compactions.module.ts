import { Module } from '@nestjs/common';
import { AwaitOutcomeController } from './await-outcome.controller.js';
import { CancelCompactionController } from './cancel-compaction.controller.js';
import { ExplainCompactionController } from './explain-compaction.controller.js';
import { ListCompactionsController } from './list-compactions.controller.js';
import { PlanCompactionController } from './plan-compaction.controller.js';
import { RequestCompactionController } from './request-compaction.controller.js';
import { RevertCompactionController } from './revert-compaction.controller.js';
import { WhatIfController } from './what-if.controller.js';

@Module({
  controllers: [
    AwaitOutcomeController,
    CancelCompactionController,
    ExplainCompactionController,
    ListCompactionsController,
    PlanCompactionController,
    RequestCompactionController,
    RevertCompactionController,
    WhatIfController,
  ],
})
export class CompactionRoutesModule {}
