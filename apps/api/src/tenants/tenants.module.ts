import { Module } from '@nestjs/common';
import { KeysController } from './keys.controller.js';
import { LimitsController } from './limits.controller.js';
import { TenantsController } from './tenants.controller.js';

@Module({
  controllers: [TenantsController, KeysController, LimitsController],
})
export class TenantRoutesModule {}
