import {
  deliveryView,
  ExportProof,
  eventLines,
  exportedMessages,
  FindSubjects,
  ListDeliveries,
  outcomeView,
  ReadSession,
} from '@app/application';
import { openTranscript } from '@app/formats';
import { Actor, defined, type LogPosition } from '@app/kernel';
import type { Palimpsest } from '@app/platform';
import { importSource, type PlayBytes } from '../imports/import-source.js';
import type { Source } from '../imports/source.js';
import { localLists } from './local-lists.js';
import { allItems } from './pages.js';
import type { ImportSourceOptions, Service } from './service.js';
import { TextReads } from './text-reads.js';

const CLI = Actor('cli');

/** Implements {@link Service} with the local engine. */
export const localService = (palimpsest: Palimpsest, why?: string): Service => {
  const { commands, outcomes } = palimpsest;
  const reads = new TextReads(palimpsest, CLI, why);
  const { queries } = reads;
  return {
    commands,
    queries,
    outcome: async (ref, compactionId) => {
      const view = outcomeView(await outcomes.outcomeOf(ref, compactionId));
      const hasText = view.outcome === 'completed' && view.summary !== null;
      if (hasText) await reads.record({ command: 'compact', ref, filters: { compaction: compactionId } });
      return view;
    },
    messages: async function* (ref, only, asOf) {
      const history = await queries.execute(new ReadSession(ref, { asOf }));
      const filters = {
        ...(only !== undefined && { message: only }),
        ...(asOf !== undefined && { asOf: String(asOf) }),
      };
      await reads.record({ command: 'export', ref, to: history.to, filters });
      yield* exportedMessages(history, only);
    },
    proof: async function* (ref, options) {
      yield* await queries.execute(new ExportProof(ref, options));
    },
    events: async function* (ref, from) {
      const history = await queries.execute(new ReadSession(ref, { from }));
      await reads.record({ command: 'events', ref, from: history.from, to: history.to });
      yield* eventLines(history);
    },
    ...localLists(palimpsest, queries),
    ...localDeliveries(palimpsest),
    importSource: (source, options) => importLocally(palimpsest, source, options),
  };
};

const importLocally = async (
  { importer, queries, keyedDigests }: Palimpsest,
  source: Source,
  options: ImportSourceOptions,
) => {
  const { tenant, profile, window, model, agent, project, labels, progress = false } = options;
  const subjects = await queries.execute(new FindSubjects(tenant, options.subjects ?? []));
  const play: PlayBytes = async (bytes) => {
    const digest = await keyedDigests.digester(tenant, 'import');
    const { format, items } = await openTranscript(bytes(), { name: source.name, digest });
    const settings = {
      tenant,
      profile,
      ...defined({ window, model, agent, project, labels }),
      ...(subjects.length > 0 && { subjects }),
    };
    return importer.import(format, items, settings, { actor: CLI });
  };
  return importSource(source, play, { isWanted: progress });
};

/** Maximum page size of the read models. */
const PAGE = 1_000;

/** Reads webhook deliveries from the local database. */
const localDeliveries = ({ queries }: Pick<Palimpsest, 'queries'>): Pick<Service, 'deliveries'> => ({
  deliveries: async function* (tenant, webhook, { state, limit }) {
    const pages = allItems((_, before: LogPosition | undefined) =>
      queries.execute(
        new ListDeliveries(tenant, {
          webhook,
          page: { limit: Math.min(PAGE, limit), ...(before !== undefined && { before }) },
          state,
        }),
      ),
    );
    for await (const delivery of pages) yield deliveryView(delivery);
  },
});
