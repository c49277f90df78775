import { Module } from '@nestjs/common';
import { WitnessController } from './witness.controller.js';

@Module({ controllers: [WitnessController] })
export class WitnessRoutesModule {}
