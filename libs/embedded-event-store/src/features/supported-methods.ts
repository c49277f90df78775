import { ProtoWriter } from '@app/kernel';
import {
  featuresService,
  gossipService,
  persistentService,
  projectionsService,
  streamsService,
  usersService,
} from '../wire/definitions.js';

/** The EventStoreDB version that this server follows. */
const SERVER_VERSION = '24.10.0';

/**
 * The paths of the methods, in lower case as clients look them up. For a missing method of persistent subscriptions the client
 * falls back to HTTP on the same port, which this server does not serve.
 */
const PATHS = [
  streamsService,
  persistentService,
  projectionsService,
  gossipService,
  usersService,
  featuresService,
]
  .flatMap((service) => Object.values(service))
  .map(({ path }) => path.toLowerCase());

/** Features by the ends of the paths. */
const FEATURES: ReadonlyMap<string, readonly string[]> = new Map([
  ['streams/read', ['position', 'events']],
  ['streams/batchappend', ['deadline_duration']],
  ['projections/create', ['track_emitted_streams']],
  ...['create', 'delete', 'read', 'getinfo', 'update', 'replayparked', 'list'].map(
    (method): [string, string[]] => [`persistentsubscriptions/${method}`, ['stream', 'all']],
  ),
]);

/** Returns `message SupportedMethods`, encoded. */
export const supportedMethods = (): Buffer => {
  const writer = new ProtoWriter(2_048);
  for (const path of PATHS) {
    const [, service = '', method = ''] = path.split('/');
    const entry = new ProtoWriter(128).string(1, method).string(2, service);
    for (const feature of FEATURES.get(`${service.split('.').at(-1)}/${method}`) ?? [])
      entry.string(3, feature);
    writer.bytes(1, entry.finish());
  }
  return writer.string(2, SERVER_VERSION).finish();
};
