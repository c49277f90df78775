import { Module } from '@nestjs/common';
import { ExportProofController } from './export-proof.controller.js';
import { ListLogWitnessesController } from './list-log-witnesses.controller.js';
import { LogCheckpointController } from './log-checkpoint.controller.js';
import { LogTileController } from './log-tile.controller.js';
import { RotateLogKeyController } from './rotate-log-key.controller.js';
import { VerifyLiveController } from './verify-live.controller.js';

@Module({
  controllers: [
    LogCheckpointController,
    LogTileController,
    ListLogWitnessesController,
    ExportProofController,
    RotateLogKeyController,
    VerifyLiveController,
  ],
})
export class TransparencyRoutesModule {}
