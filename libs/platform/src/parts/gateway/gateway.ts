import { openConversations } from '@app/adapters/read-model-postgres';
import { httpUpstream } from '@app/adapters/upstream-http';
import { FailOpen, Gateway, Recall, RequestCounts } from '@app/application';
import { OPERATOR_TENANT } from '@app/domain';
import { AppError, SecretName } from '@app/kernel';
import type { ReadSecret, SecretStore } from '@app/ports';
import { part } from '../parts.js';

/** The providers' servers, as configured, the requests for token counts to them, and the gateway to their clients. */
export const GATEWAY = [
  part('upstream', ['config', 'secrets'], ({ config, secrets }) => {
    const servers = {
      anthropic: config.PALIMPSEST_GATEWAY_ANTHROPIC,
      openai: config.PALIMPSEST_GATEWAY_OPENAI,
    };
    return httpUpstream({ servers, readSecret: reading(secrets) });
  }),
  part('counts', ['upstream'], ({ upstream }) => new RequestCounts(upstream)),
  part(
    'gateway',
    [
      ...(['sessions', 'commands', 'queries', 'log', 'database', 'upstream', 'counter', 'models'] as const),
      ...(['clock', 'onProblem', 'config', 'subscriptions', 'metrics', 'keys'] as const),
    ],
    ({ queries, database, onProblem, config, subscriptions, metrics, keys, ...parts }) => {
      const conversations = openConversations(database);
      const afterMs = config.PALIMPSEST_GATEWAY_FAIL_OPEN_MS;
      const failOpen = {
        afterMs,
        probes: [
          { code: 'event-store-unavailable', ask: () => subscriptions.head() },
          { code: 'postgres-unavailable', ask: () => conversations.named(OPERATOR_TENANT, ['probe']) },
        ],
        onProblem: onProblem('gateway'),
        onUnrecorded: (code: string) => metrics.unrecordedRequests.inc({ code }),
      } as const;
      const gateway = new Gateway({
        ...parts,
        keyed: keys,
        conversations,
        recall: (ref, input) => queries.execute(new Recall(ref, input)),
        onProblem: onProblem('gateway'),
        ...(afterMs > 0 && { failOpen: new FailOpen(failOpen) }),
      });
      keys.onEvicted(() => gateway.histories.forget());
      return gateway;
    },
  ),
];

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
