import type { Deployment } from '@app/deployments';
import { AnthropicServer } from '@app/testing/providers';
import { afterAll, beforeAll, describe } from '@jest/globals';
import { accessTests } from './suite/access.js';
import { apiTests } from './suite/api.js';
import { auditTests } from './suite/audit.js';
import { billTests } from './suite/bills.js';
import { conditionTests } from './suite/conditions.js';
import { fittingTests } from './suite/fitting.js';
import { keyTests } from './suite/keys.js';
import { limitTests } from './suite/limits.js';
import { crashTests, operationsTests, shutdownTests } from './suite/operations.js';
import { secretTests } from './suite/secrets.js';
import { sessionTests } from './suite/sessions.js';
import { streamTests } from './suite/stream.js';
import { webhookTests } from './suite/webhooks.js';
import { Service } from './support/service.js';

/** The settings that the suite requires of every program. */
const SUITE_SETTINGS = {
  PALIMPSEST_STREAM_HEARTBEAT_MS: '200',
  PALIMPSEST_STREAM_READERS_MAX: '8',
  PALIMPSEST_WEBHOOK_ALLOW_PRIVATE: 'true',
};

/** The deployment to test; all of them if empty. */
const wanted = process.env.PALIMPSEST_TEST_DEPLOYMENT ?? '';

/** Where the gateway forwards requests. */
type Upstream = { readonly PALIMPSEST_GATEWAY_ANTHROPIC: string };

export type SuiteOptions<Deployed extends Deployment> = {
  readonly name: 'embedded' | 'processes';
  readonly start: (settings: typeof SUITE_SETTINGS & Upstream) => Promise<Deployed>;
  /** Tests for this deployment only. */
  readonly besides?: (service: () => Service, deployment: () => Deployed) => void;
};

/**
 * Tests the service over HTTP; every deployment runs the same tests on one instance. The API's own rules are the same code in
 * each, and test/api starts it embedded: they are tested on separate processes, and on the other one if that is named.
 */
export const describeService = <Deployed extends Deployment>(options: SuiteOptions<Deployed>): void =>
  (wanted === '' || wanted === options.name ? describe : describe.skip)(`service (${options.name})`, () => {
    let deployment: Deployed;
    let service: Service;
    let upstream: AnthropicServer;
    beforeAll(async () => {
      upstream = await AnthropicServer.start();
      deployment = await options.start({ ...SUITE_SETTINGS, PALIMPSEST_GATEWAY_ANTHROPIC: upstream.url });
      service = new Service(deployment);
    });
    afterAll(async () => {
      await deployment.stop();
      await upstream.close();
    });

    const current = (): Service => service;
    sessionTests(current);
    auditTests(current);
    streamTests(current);
    webhookTests(current);
    operationsTests(current);
    if (options.name === 'processes' || wanted !== '') {
      apiTests(current);
      billTests(current);
      fittingTests(current);
      conditionTests(current);
      accessTests(current);
      keyTests(current);
      limitTests(current);
      secretTests(current);
    }
    options.besides?.(current, () => deployment);
    crashTests(current);
    shutdownTests(current);
  });
