import type { AuditRead } from '@app/application';
import { type AuditFilter, PalimpsestClient } from '@app/client';
import type { DeliveryView } from '@app/contract';
import { defined, LogPosition, pick } from '@app/kernel';
import type {
  AuditReadRecord,
  AuditRow,
  DescriptionFilter,
  HeldSession,
  AuditFilter as LocalFilter,
} from '@app/ports';
import { importSource, type PlayBytes } from '../imports/import-source.js';
import type { Service } from '../service/service.js';
import { commandCalls } from './command-calls.js';
import { lightFetch } from './light-fetch.js';
import { queryCalls } from './query-calls.js';
import { RemoteBus } from './remote-bus.js';
import { answered, answeredItems } from './remote-error.js';
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
  const client = new PalimpsestClient({ ...settings, fetch: lightFetch });
  const { sessions, compactions, keys, webhooks } = client;
  return {
    commands: new RemoteBus(commandCalls(client)),
    queries: new RemoteBus(queryCalls(client)),
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
    importSource: (source, { tenant: _, progress = false, ...options }) => {
      const name = source.name.slice(-NAME_MAX);
      const play: PlayBytes = (bytes) =>
        answered(client.import(bytes, { name, ...options }).then((result) => resultOf(result)));
      return importSource(source, play, { isWanted: progress });
    },
  };
};

/** Converts rows to their local form: the API has positions as strings. */
async function* remoteAudit(
  { audit }: PalimpsestClient,
  read: AuditRead,
): AsyncGenerator<readonly AuditRow[], void, undefined> {
  const { limit = Number.POSITIVE_INFINITY, sort } = read;
  const query = { ...auditFilter(read), ...(sort && { sort }) };
  let cursor: string | undefined;
  for (let left = limit; left > 0; ) {
    const size = Math.min(PAGE, left);
    const page = await audit.page({ ...query, limit: size, ...(cursor !== undefined && { cursor }) });
    if (page.items.length > 0) yield page.items.map((row) => resultOf<AuditRow>(row)).map(withPosition);
    if (page.next === null) return;
    cursor = page.next;
    left -= page.items.length;
  }
}

const withPosition = (row: AuditRow): AuditRow => ({ ...row, position: LogPosition(BigInt(row.position)) });

const descriptionIn = ({ agent, project, labels }: LocalFilter): DescriptionFilter => ({
  ...defined({ agent, project, labels }),
});

/** Returns a filter as the API takes it. */
const auditFilter = (read: LocalFilter): AuditFilter => ({
  ...withLabels(descriptionIn(read)),
  ...(read.session !== undefined && { session: read.session }),
  ...(read.types && { type: read.types }),
  ...pick(read, 'trigger', 'outcome', 'profile', 'model', 'actor'),
  ...defined({ correlation: read.correlationId, compaction: read.compactionId }),
  ...pick(read, 'lost', 'since', 'until'),
});

/** Returns a filter with its labels as the API takes them: `name` or `name=value`. */
const withLabels = <Filter extends DescriptionFilter>({ labels = [], ...filter }: Filter) => ({
  ...filter,
  ...(labels.length > 0 && {
    label: labels.map(({ name, value }) => (value === undefined ? name : `${name}=${value}`)),
  }),
});
