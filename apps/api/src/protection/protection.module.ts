import { Module } from '@nestjs/common';
import { LegalHoldsController } from './legal-holds.controller.js';
import { RetentionController } from './retention.controller.js';

@Module({ controllers: [LegalHoldsController, RetentionController] })
export class ProtectionRoutesModule {}
