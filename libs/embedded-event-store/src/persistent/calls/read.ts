import type { ServerDuplexStream } from '@grpc/grpc-js';
import type { Store } from '../../store.js';
import type { Source } from '../../streams/reads/read-plan.js';
import type { persistent } from '../../wire/definitions.js';
import { asFailure, invalidArgument, readingStopped } from '../../wire/grpc-failure.js';
import { Outlet } from '../../wire/outlet.js';
import { eventIdOf } from '../../wire/values.js';
import { groupKey, sourceName } from '../definition/group-definition.js';
import { Consumer } from '../delivery/consumer.js';
import type { Group } from '../delivery/group.js';
import { persistentReplies } from '../delivery/replies.js';
import { identityOf } from './requests/identity-of.js';
import { sourceOf } from './requests/source-of.js';

type Call = ServerDuplexStream<persistent.ReadReq, Buffer>;

/** `Read`: the first message has the options and connects a consumer; later ones acknowledge or reject events. */
export const readGroup = (store: Store, call: Call): void => {
  const outlet = new Outlet(call);
  outlet.onEnd(store.calls.whenStopping(() => outlet.fail(readingStopped())));
  let group: Group | undefined;
  call.on('data', (request: persistent.ReadReq) => {
    try {
      if (group) takeAnswer(group, request);
      else group = connect(store, call, outlet, request.getOptions());
    } catch (fault) {
      outlet.fail(asFailure(fault));
    }
  });
  call.on('end', () => outlet.end());
};

const connect = (
  store: Store,
  call: Call,
  outlet: Outlet,
  options: persistent.ReadReq.Options | undefined,
): Group => {
  if (!options) throw invalidArgument('the first message of a consumer must be its options');
  const source: Source = sourceOf(options);
  store.access.demand(call, 'read', sourceName(source));
  const group = store.groups.get(source, options.getGroupName());
  const consumer = new Consumer(
    outlet,
    Math.max(1, options.getBufferSize()),
    options.getUuidOption()?.hasStructured() ?? false,
    identityOf(call, store.access.callerOf(call.metadata)),
  );
  group.admit();
  outlet.send(persistentReplies.confirmation(groupKey(source, options.getGroupName())));
  outlet.onEnd(() => group.disconnect(consumer));
  group.connect(consumer);
  return group;
};

const takeAnswer = (group: Group, request: persistent.ReadReq): void => {
  const acknowledged = request.getAck();
  if (acknowledged) group.ack(acknowledged.getIdsList().map(eventIdOf));
  const refused = request.getNack();
  if (!refused) return;
  const ids = refused.getIdsList().map(eventIdOf);
  switch (NACK_ACTIONS[refused.getAction()]) {
    case 'park':
      group.park(ids, refused.getReason());
      break;
    case 'skip':
    // EventStoreDB only acknowledges on `stop`, despite its documentation.
    case 'stop':
      group.ack(ids);
      break;
    default:
      group.retry(ids);
  }
};
const NACK_ACTIONS = ['unknown', 'park', 'retry', 'skip', 'stop'];
