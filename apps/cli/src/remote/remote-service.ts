import { PalimpsestClient } from '@app/client';
import type { DeliveryView } from '@app/contract';
import { defined } from '@app/kernel';
import type { AuditReadRecord, HeldSession } from '@app/ports';
import { importSource, type PlayBytes } from '../imports/import-source.js';
import type { Service } from '../service/service.js';
import { commandCalls } from './command-calls.js';
import { queryCalls } from './query-calls.js';
import { auditFilter, remoteAudit } from './remote-audit.js';
import { RemoteBus } from './remote-bus.js';
import { answered, answeredItems } from './remote-error.js';
import { withLabels } from './remote-filters.js';
import type { RemoteSettings } from './remote-settings.js';
import { resultOf } from './result-of.js';

/** Seconds to wait for an outcome, as in a local service. */
const TIMEOUT_SECONDS = 600;
/** Maximum page size of the API. */
const PAGE = 1_000;
/** Maximum length of a transcript's name in the API. */
const NAME_MAX = 200;

/** A {@link Service} over HTTP. The tenant is that of the API key. */
export const remoteService = (settings: RemoteSettings): Service => {
  const client = new PalimpsestClient(settings);
  const { sessions, compactions, keys, webhooks } = client;
  return {
    commands: new RemoteBus(commandCalls(client)),
    queries: new RemoteBus(queryCalls(client)),
    plan: (ref, profile) => {
      const input = profile === undefined ? {} : { profile };
      return answered(compactions.plan(ref.session, input).then((plan) => resultOf(plan)));
    },
    outcome: (ref, compactionId) =>
      answered(
        compactions
          .outcome(ref.session, compactionId, { timeoutSeconds: TIMEOUT_SECONDS })
          .then((outcome) => resultOf(outcome)),
      ),
    messages: async function* (ref, only, asOf) {
      const options = {
        ...defined({ message: only, asOf }),
      };
      for await (const message of answeredItems(sessions.export(ref.session, options)))
        yield resultOf(message);
    },
    proof: (ref, options) => answeredItems(sessions.proof(ref.session, options)),
    events: async function* (ref, from) {
      const options = from === undefined ? {} : { from };
      for await (const event of answeredItems(sessions.events(ref.session, options))) yield resultOf(event);
    },
    sessions: async function* (_, filter) {
      const query = { ...withLabels(filter), limit: PAGE };
      for await (const session of answeredItems(sessions.list(query))) yield resultOf(session);
    },
    held: async function* (_, filter) {
      for await (const held of answeredItems(client.retention.held({ ...filter, limit: PAGE })))
        yield resultOf<HeldSession>(held);
    },
    tenants: async function* () {
      for await (const tenant of answeredItems(keys.tenants({ limit: PAGE }))) yield resultOf(tenant);
    },
    reads: async function* (_, filter) {
      for await (const read of answeredItems(client.audit.allReads({ ...filter, limit: PAGE })))
        yield resultOf<AuditReadRecord>(read);
    },
    audit: (read) => answeredItems(remoteAudit(client, read)),
    auditTotals: (query) => answered(client.audit.totals({ ...auditFilter(query), by: query.by })),
    // The API key determines the tenant.
    usage: ({ tenant: _, ...query }) => answered(client.audit.usage(withLabels(query))),
    deliveries: async function* (_, webhook, { limit, ...filter }) {
      const pages = webhooks.allDeliveries(webhook, { ...filter, limit: Math.min(PAGE, limit) });
      for await (const delivery of answeredItems(pages)) yield resultOf<DeliveryView>(delivery);
    },
    replayDelivery: (_, webhook, delivery) =>
      answered(webhooks.replay(webhook, delivery).then((replayed) => resultOf(replayed))),
    skipDelivery: (_, webhook, { delivery, reason }) =>
      answered(webhooks.skip(webhook, delivery, reason).then((skipped) => resultOf(skipped))),
    importSource: (source, { tenant: _, progress = false, ...options }) => {
      const name = source.name.slice(-NAME_MAX);
      const play: PlayBytes = (bytes) =>
        answered(client.import(bytes, { name, ...options }).then((result) => resultOf(result)));
      return importSource(source, play, { isWanted: progress });
    },
  };
};
