import { auditPayload } from '@app/adapters/read-model-postgres';
import {
  ContributionCollector,
  EventHub,
  OutcomeWaiter,
  RequestComposer,
  RetentionDefaults,
  SessionStore,
  TranscriptImporter,
} from '@app/application';
import { part } from './parts.js';

/** Buffer for the readers of all tenants, in equal shares; slower readers are disconnected. */
const BOUNDS = { events: 16_384, characters: 32_000_000 };

/** Sessions: their store, the composition of requests, the import of transcripts, and the streams of their events. */
export const SESSIONS = [
  part('sessions', ['log'], ({ log }) => new SessionStore(log)),
  part(
    'outcomes',
    ['sessions', 'log', 'subscriptions'],
    ({ sessions, log, subscriptions }) => new OutcomeWaiter(sessions, log, subscriptions),
  ),
  part(
    'importer',
    ['sessions', 'commands', 'outcomes', 'log', 'counter', 'models', 'clock'],
    (parts) => new TranscriptImporter(parts),
  ),
  part('retention', ['tenants'], ({ tenants }) => new RetentionDefaults(tenants)),
  part(
    'contributions',
    ['contextProviders', 'counter'],
    ({ contextProviders, counter }) => new ContributionCollector(contextProviders, counter),
  ),
  part(
    'composer',
    ['sessions', 'outcomes', 'contributions', 'clock', 'counts', 'summarizers', 'counter'],
    ({ sessions, outcomes, contributions, clock, counts, summarizers, counter }) =>
      new RequestComposer(sessions, outcomes, contributions, clock, counts, summarizers, counter),
  ),
  part(
    'hub',
    ['config', 'subscriptions', 'onProblem', 'closers'],
    ({ config, subscriptions, onProblem, closers }) => {
      const hub = new EventHub({
        subscriptions,
        factsOf: auditPayload,
        readersMax: config.PALIMPSEST_STREAM_READERS_MAX,
        bounds: BOUNDS,
        onError: onProblem('stream'),
      });
      closers.add(() => hub.close());
      return hub;
    },
  ),
];
