import { Module } from '@nestjs/common';
import { IssueKeyController } from './issue-key.controller.js';
import { LimitsController } from './limits.controller.js';
import { ListKeysController } from './list-keys.controller.js';
import { ListTenantsController } from './list-tenants.controller.js';
import { RegisterTenantController } from './register-tenant.controller.js';
import { RevokeKeyController } from './revoke-key.controller.js';
import { RotateKeyController } from './rotate-key.controller.js';
import { WhoamiController } from './whoami.controller.js';

@Module({
  controllers: [
    RegisterTenantController,
    ListTenantsController,
    ListKeysController,
    IssueKeyController,
    RotateKeyController,
    RevokeKeyController,
    WhoamiController,
    LimitsController,
  ],
})
export class TenantRoutesModule {}
