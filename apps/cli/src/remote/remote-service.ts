import { PalimpsestClient } from '@app/client';
import { importSource, type PlayBytes } from '../importing/import-source.js';
import type { Cleared, Service } from '../service/service.js';
import { commandCalls } from './command-calls.js';
import { queryCalls } from './query-calls.js';
import { remoteAudit } from './remote-audit.js';
import { RemoteBus } from './remote-bus.js';
import { answered, answeredItems } from './remote-error.js';
import type { RemoteSettings } from './remote-settings.js';
import { resultOf } from './result-of.js';
import { taken } from './taken.js';

/** Seconds that an outcome is waited for: as long as on this machine. */
const PATIENCE = 600;
/** As many as `palimpsest sessions` lists. */
const SESSIONS_MAX = 1_000;
/** The longest name of a transcript that the API takes. */
const NAME_MAX = 200;

/** A service over HTTP, as commands want it. Whose sessions it works on is the key's to say. */
export const remoteService = (settings: RemoteSettings): Service => {
  const client = new PalimpsestClient(settings);
  const { sessions, compactions } = client;
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
          .outcome(ref.session, compactionId, { patience: PATIENCE })
          .then((outcome) => resultOf(outcome)),
      ),
    reset: async (ref, { confirm, reason }) => {
      const done = await answered(sessions.reset(ref.session, { confirm, reason }));
      return done.reset ? resultOf<Cleared>(done) : undefined;
    },
    reportEdits: (ref, answer) =>
      answered(sessions.reportEdits(ref.session, answer).then((reported) => resultOf(reported))),
    messages: async function* (ref, only, asOf) {
      const options = {
        ...(only !== undefined && { message: only }),
        ...(asOf !== undefined && { asOf }),
      };
      for await (const message of answeredItems(sessions.export(ref.session, options)))
        yield resultOf(message);
    },
    events: async function* (ref, from) {
      const options = from === undefined ? {} : { from };
      for await (const event of answeredItems(sessions.events(ref.session, options))) yield resultOf(event);
    },
    sessions: async () => {
      const found = await taken(answeredItems(sessions.list({ limit: SESSIONS_MAX })), SESSIONS_MAX);
      return found.map((session) => resultOf(session));
    },
    audit: (read) => answeredItems(remoteAudit(client, read)),
    importSource: (source, { tenant: _, progress = false, ...options }) => {
      const name = source.name.slice(-NAME_MAX);
      const play: PlayBytes = (bytes) =>
        answered(client.import(bytes, { name, ...options }).then((result) => resultOf(result)));
      return importSource(source, play, { isWanted: progress });
    },
  };
};
