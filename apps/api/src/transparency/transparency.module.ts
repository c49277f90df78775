import { Module } from '@nestjs/common';
import { ExportProofController } from './export-proof.controller.js';
import { LogCheckpointController } from './log-checkpoint.controller.js';
import { LogTileController } from './log-tile.controller.js';

@Module({ controllers: [LogCheckpointController, LogTileController, ExportProofController] })
export class TransparencyRoutesModule {}
