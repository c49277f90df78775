import { Module } from '@nestjs/common';
import { GatewayController } from './gateway.controller.js';
import { GatewayEntry } from './gateway-entry.js';

@Module({ controllers: [GatewayController], providers: [GatewayEntry] })
export class GatewayRoutesModule {}
