/** A server for comparison in a child process: `forgetting` or `repeating`. Reports its port to its parent. */
import { setImmediate as yieldToLoop } from 'node:timers/promises';
import { Server, ServerCredentials, type ServerWritableStream } from '@grpc/grpc-js';
import { supportedMethods } from '../../../libs/embedded-event-store/src/features/supported-methods.js';
import { EventLog } from '../../../libs/embedded-event-store/src/log/event-log.js';
import { encodeRecord, StoredEvent } from '../../../libs/embedded-event-store/src/log/record.js';
import { Groups } from '../../../libs/embedded-event-store/src/persistent/groups.js';
import { createServer } from '../../../libs/embedded-event-store/src/process/grpc-server.js';
import { listen } from '../../../libs/embedded-event-store/src/process/listen.js';
import { LOOPBACK } from '../../../libs/embedded-event-store/src/process/options.js';
import { OPEN_ACCESS } from '../../../libs/embedded-event-store/src/security/calls/access.js';
import { Users } from '../../../libs/embedded-event-store/src/security/users/users.js';
import { readReplies } from '../../../libs/embedded-event-store/src/streams/reads/read-replies.js';
import {
  featuresService,
  type streams,
  streamsService,
} from '../../../libs/embedded-event-store/src/wire/definitions.js';
import { OpenCalls } from '../../../libs/embedded-event-store/src/wire/open-calls.js';
import { Outlet } from '../../../libs/embedded-event-store/src/wire/outlet.js';
import { pipelined } from '../../../libs/embedded-event-store/src/wire/pipelined-call.js';
import { proposedEvent } from './events.js';
import { forgettingEngine } from './forgetting-engine.js';

const APPEND_SIZE_MAX = 2 ** 20;
/** Messages between two yields to the event loop. */
const PAGE_COUNT = 128;

const forgetting = async (): Promise<number> => {
  const engine = forgettingEngine();
  const log = new EventLog(engine);
  const groups = new Groups(log, engine);
  const users = new Users(engine, (puts) => log.put(puts));
  const store = { log, groups, access: OPEN_ACCESS, calls: new OpenCalls(), appendSizeMax: APPEND_SIZE_MAX };
  const server = createServer({
    store,
    users,
    endpoint: () => ({ host: LOOPBACK, port: 0 }),
    interceptors: [],
  });
  return listen(server, { kind: 'port', host: LOOPBACK, port: 0 }, undefined);
};

/** Answers every read with the same pre-encoded event, as often as requested. */
const repeating = (): Promise<number> => {
  const placement = { stream: 'repeated', revision: 1_000, position: 1_000_000, createdAt: new Date() };
  const event = new StoredEvent(placement.position, encodeRecord(proposedEvent(), placement));
  const message = readReplies.event({ event }, false);
  const read = async (call: ServerWritableStream<streams.ReadReq, Buffer>): Promise<void> => {
    const outlet = new Outlet(call);
    const count = Number(call.request.getOptions()?.getCount() ?? 0);
    for (let sent = 1; sent <= count && outlet.open; sent += 1) {
      if (!outlet.send(message)) await outlet.drained();
      if (sent % PAGE_COUNT === 0) await yieldToLoop();
    }
    outlet.end();
  };
  const server = new Server({ interceptors: [pipelined] });
  server.addService(
    { read: streamsService.read },
    { read: (call: Parameters<typeof read>[0]) => void read(call) },
  );
  server.addService(featuresService, {
    getSupportedMethods: (_call: unknown, answer: (fault: null, reply: Buffer) => void) =>
      answer(null, supportedMethods()),
  });
  return new Promise((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (fault, port) =>
      fault ? reject(fault) : resolve(port),
    );
  });
};

process.on('disconnect', () => process.exit(0));
process.send?.(await (process.argv[2] === 'forgetting' ? forgetting() : repeating()));
