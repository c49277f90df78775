import { httpUpstream } from '@app/adapters/upstream-http';
import { RequestCounts } from '@app/application';
import { AppError, SecretName } from '@app/kernel';
import type { ReadSecret, SecretStore } from '@app/ports';
import { Module } from '@nestjs/common';
import { classProvider, factoryProvider } from '../../providers.js';
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

/** The providers' servers, as configured, and the requests for token counts to them. */
@Module({
  imports: [SecretsModule],
  providers: [
    factoryProvider(UPSTREAM, { config: APP_CONFIG, secrets: SECRET_STORE }, ({ config, secrets }) => {
      const servers = {
        anthropic: config.PALIMPSEST_GATEWAY_ANTHROPIC,
        openai: config.PALIMPSEST_GATEWAY_OPENAI,
      };
      return httpUpstream({ servers, readSecret: reading(secrets) });
    }),
    classProvider(RequestCounts, UPSTREAM),
  ],
  exports: [UPSTREAM, RequestCounts],
})
export class UpstreamModule {}
