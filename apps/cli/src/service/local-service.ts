import {
  auditBatches,
  eventLines,
  exportedMessages,
  outcomeView,
  PlanCompaction,
  planView,
  ReadSession,
  ReportEdits,
  ResetSession,
} from '@app/application';
import { openTranscript, providerEditsFrom } from '@app/formats';
import { Actor, invariant } from '@app/kernel';
import type { Palimpsest } from '@app/platform';
import { importSource, type PlayBytes } from '../importing/import-source.js';
import type { Source } from '../importing/source.js';
import { caughtUp } from './caught-up.js';
import type { ImportSourceOptions, Service } from './service.js';

const CLI = Actor('cli');

/** The parts of this machine, as commands want them. */
export const localService = (palimpsest: Palimpsest): Service => {
  const { commands, queries, outcomes, readModels } = palimpsest;
  return {
    commands,
    queries,
    plan: async (ref, profile) => planView(await queries.execute(new PlanCompaction(ref, profile))),
    outcome: async (ref, compactionId) => outcomeView(await outcomes.outcomeOf(ref, compactionId)),
    reset: (ref, request, caller) => commands.execute(new ResetSession(ref, request, caller)),
    reportEdits: (ref, answer, caller) => {
      const report = providerEditsFrom(answer);
      invariant(report, 'an answer is looked at before it is reported');
      return commands.execute(new ReportEdits(ref, report, caller));
    },
    messages: async function* (ref, only, asOf) {
      yield* exportedMessages(await queries.execute(new ReadSession(ref, undefined, asOf)), only);
    },
    events: async function* (ref, from) {
      yield* eventLines(await queries.execute(new ReadSession(ref, from)));
    },
    sessions: (tenant) => readModels.sessions(tenant),
    audit: async function* (read) {
      await caughtUp(palimpsest);
      yield* auditBatches(readModels, read);
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
