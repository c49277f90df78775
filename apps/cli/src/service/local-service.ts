import {
  auditBatches,
  eventLines,
  exportedMessages,
  ListTenants,
  outcomeView,
  PlanCompaction,
  planView,
  ReadSession,
  RecordAuditRead,
  ReportEdits,
  ResetSession,
} from '@app/application';
import { OPERATOR_TENANT } from '@app/domain';
import { openTranscript, providerEditsFrom } from '@app/formats';
import { Actor, invariant, type LogPosition, type TenantId } from '@app/kernel';
import type { Palimpsest } from '@app/platform';
import type { AuditReadRecord } from '@app/ports';
import { importSource, type PlayBytes } from '../importing/import-source.js';
import type { Source } from '../importing/source.js';
import { caughtUp } from './caught-up.js';
import { allItems } from './pages.js';
import type { ImportSourceOptions, Service } from './service.js';
import { TextReads } from './text-reads.js';

const CLI = Actor('cli');

/** The parts of this machine, as commands want them. */
export const localService = (palimpsest: Palimpsest, why?: string): Service => {
  const { commands, outcomes, readModels } = palimpsest;
  const reads = new TextReads(palimpsest, CLI, why);
  const { queries } = reads;
  /** Records that facts are read, before they are printed. */
  const facts = (tenant: TenantId, command: string, filter: object, rows: number): Promise<void> => {
    const given = Object.entries(filter).filter(([, value]) => value !== undefined);
    const filters = Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
    const read = { endpoint: `palimpsest ${command}`, filters, rows };
    return commands.execute(new RecordAuditRead(tenant, read, { actor: CLI }));
  };
  return {
    commands,
    queries,
    plan: async (ref, profile) => planView(await queries.execute(new PlanCompaction(ref, profile))),
    outcome: async (ref, compactionId) => {
      const view = outcomeView(await outcomes.outcomeOf(ref, compactionId));
      const hasText = view.outcome === 'completed' && view.summary !== null;
      if (hasText) await reads.record({ command: 'compact', ref, filters: { compaction: compactionId } });
      return view;
    },
    reset: (ref, request, caller) => commands.execute(new ResetSession(ref, request, caller)),
    reportEdits: (ref, answer, caller) => {
      const report = providerEditsFrom(answer);
      invariant(report, 'an answer is looked at before it is reported');
      return commands.execute(new ReportEdits(ref, report, caller));
    },
    messages: async function* (ref, only) {
      const history = await queries.execute(new ReadSession(ref));
      const filters = only === undefined ? {} : { message: only };
      await reads.record({ command: 'export', ref, to: history.to, filters });
      yield* exportedMessages(history, only);
    },
    events: async function* (ref, from) {
      const history = await queries.execute(new ReadSession(ref, from));
      await reads.record({ command: 'events', ref, from: history.from, to: history.to });
      yield* eventLines(history);
    },
    sessions: (tenant) =>
      allItems((limit, before: LogPosition | undefined) =>
        readModels.sessionPage(tenant, { limit, ...(before !== undefined && { before }) }),
      ),
    tenants: () =>
      allItems((limit, after: TenantId | undefined) => queries.execute(new ListTenants(after, limit))),
    reads: async function* (tenant, filter) {
      await caughtUp(palimpsest);
      yield* allItems(async (limit, after: AuditReadRecord | undefined) => {
        const items = await readModels.auditReads({ tenant, ...filter, limit, ...(after && { after }) });
        await facts(tenant, 'reads', filter, items.length);
        return { items, next: items.length === limit ? (items.at(-1) ?? null) : null };
      });
    },
    audit: async function* (read) {
      await caughtUp(palimpsest);
      const { tenant, ...filter } = read;
      for await (const rows of auditBatches(readModels, read)) {
        // Each batch before it is printed: how many come after it is not known yet.
        await facts(tenant, 'audit', filter, rows.length);
        yield rows;
      }
    },
    usage: async (query) => {
      await caughtUp(palimpsest);
      const totals = await readModels.usage(query);
      const { tenant, ...filter } = query;
      await facts(tenant === 'all' ? OPERATOR_TENANT : tenant, 'usage', filter, totals.groups.length);
      return totals;
    },
    importSource: (source, options) => importLocally(palimpsest, source, options),
  };
};

const importLocally = ({ importer }: Palimpsest, source: Source, options: ImportSourceOptions) => {
  const { tenant, profile, window, model, progress = false } = options;
  const play: PlayBytes = async (bytes) => {
    const { format, items } = await openTranscript(bytes(), { name: source.name });
    const settings = {
      tenant,
      profile,
      ...(window !== undefined && { window }),
      ...(model !== undefined && { model }),
    };
    return importer.import(format, items, settings, { actor: CLI });
  };
  return importSource(source, play, { isWanted: progress });
};
