import { Module } from '@nestjs/common';
import { KeysController } from './keys.controller.js';
import { LimitsController } from './limits.controller.js';
import { ListTenantsController } from './list-tenants.controller.js';
import { RegisterTenantController } from './register-tenant.controller.js';
import { ShowTenantController } from './show-tenant.controller.js';
import { WhoamiController } from './whoami.controller.js';

@Module({
  controllers: [
    RegisterTenantController,
    ListTenantsController,
    ShowTenantController,
    KeysController,
    WhoamiController,
    LimitsController,
  ],
})
export class TenantRoutesModule {}
