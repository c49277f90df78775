import { httpUpstream } from '@app/adapters/upstream-http';
import { RequestCounts } from '@app/application';
import { AppError, SecretName } from '@app/kernel';
import type { ReadSecret, SecretStore, Upstream } from '@app/ports';
import { Module } from '@nestjs/common';
import type { AppConfig } from '../../config.js';
import { APP_CONFIG, SECRET_STORE, UPSTREAM } from '../../symbols.js';
import { SecretsModule } from '../secrets/secrets.module.js';

const reading =
  (secrets: SecretStore): ReadSecret =>
  async (tenant, name) => {
    try {
      return await secrets.read(tenant, SecretName(name));
    } catch (error) {
      if (error instanceof AppError && error.code === 'secret-not-found') return undefined;
      throw error;
    }
  };

/** The providers' servers, as configured, and who asks them for the size of requests. */
@Module({
  imports: [SecretsModule],
  providers: [
    {
      provide: UPSTREAM,
      useFactory: (config: AppConfig, secrets: SecretStore): Upstream => {
        const servers = {
          anthropic: config.PALIMPSEST_GATEWAY_ANTHROPIC,
          openai: config.PALIMPSEST_GATEWAY_OPENAI,
        };
        return httpUpstream({ servers, readSecret: reading(secrets) });
      },
      inject: [APP_CONFIG, SECRET_STORE],
    },
    {
      provide: RequestCounts,
      useFactory: (upstream: Upstream) => new RequestCounts(upstream),
      inject: [UPSTREAM],
    },
  ],
  exports: [UPSTREAM, RequestCounts],
})
export class UpstreamModule {}
