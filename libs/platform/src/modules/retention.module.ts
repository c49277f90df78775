import { ErasureRunner, HeldBackErasures, LedgerStore } from '@app/application';
import type { ErasableKeys } from '@app/ports';
import { Inject, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { CommandBus, CqrsModule } from '@nestjs/cqrs';
import { classProvider } from '../providers.js';
import { CONTENT_KEYS, ON_PROBLEM, type OnProblem } from '../symbols.js';
import { ErasuresModule } from './erasures.module.js';
import { SecretBoxModule } from './secrets/secret-box.module.js';
import { SessionsModule } from './sessions.module.js';
import { TenantsModule } from './tenants/tenants.module.js';

/** Retention periods, legal holds, and the erasures that they hold back. */
@Module({
  imports: [CqrsModule, ErasuresModule, SecretBoxModule, SessionsModule, TenantsModule],
  providers: [classProvider(HeldBackErasures, LedgerStore, ErasureRunner, CommandBus)],
  exports: [HeldBackErasures],
})
export class RetentionModule implements OnApplicationBootstrap {
  @Inject(HeldBackErasures) private readonly erasures!: HeldBackErasures;
  @Inject(CONTENT_KEYS) private readonly keys!: ErasableKeys;
  @Inject(ON_PROBLEM) private readonly onProblem!: OnProblem;

  /** A crash may have come between the release of a hold and the erasure that it had deferred. */
  onApplicationBootstrap(): void {
    void this.retryAll().catch(this.onProblem('retention'));
  }

  private async retryAll(): Promise<void> {
    for (const { tenant } of await this.keys.ledgers()) await this.erasures.retry(tenant);
  }
}
