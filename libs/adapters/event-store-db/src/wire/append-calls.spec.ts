import { EventStoreDBClient, StreamDeletedError, UnknownError } from '@eventstore/db-client';
import messages from '@eventstore/db-client/generated/shared_pb.js';
import status from '@eventstore/db-client/generated/status_pb.js';
import streamsGrpc from '@eventstore/db-client/generated/streams_grpc_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { Metadata, Server, ServerCredentials, type ServerDuplexStream } from '@grpc/grpc-js';
import any from 'google-protobuf/google/protobuf/any_pb.js';
import { repeated } from '../repeated.js';
import { Appends } from './appends.js';

const { BatchAppendResp } = streams;
type Request = InstanceType<typeof streams.BatchAppendReq>;
type Call = ServerDuplexStream<Request, Uint8Array>;
type Answer = (call: Call, request: Request) => void;

const answerTo = (request: Request) => new BatchAppendResp().setCorrelationId(request.getCorrelationId());
const succeed: Answer = (call, request) =>
  call.write(
    answerTo(request).setSuccess(new BatchAppendResp.Success().setCurrentRevision('7')).serializeBinary(),
  );
/** Answers with a status; `type` is that of its details, which a status may lack. */
const refuse =
  (message: string, type?: string, code: 0 | 13 = 0): Answer =>
  (call, request) => {
    const error = new status.Status().setMessage(message).setCode(code);
    if (type) error.setDetails(new any.Any().setTypeUrl(`type.googleapis.com/${type}`));
    call.write(answerTo(request).setError(error).serializeBinary());
  };
const breakWith =
  (code: number, metadata = new Metadata()): Answer =>
  (call) =>
    call.emit('error', { code, details: 'gone', metadata });

/** A server that answers each append with the next of the given answers. */
class ScriptedServer {
  private readonly server = new Server();
  calls = 0;
  /** UUIDs of the events of each append. */
  readonly asked: (string | undefined)[] = [];
  port = 0;

  constructor(private readonly answers: Answer[]) {
    const definition = { ...streamsGrpc.StreamsService.batchAppend, responseSerialize: Buffer.from };
    this.server.addService(
      { batchAppend: definition },
      {
        batchAppend: (call: Call) => {
          this.calls += 1;
          call.on('data', (request: Request) => {
            this.asked.push(request.getProposedMessagesList()[0]?.getId()?.getString());
            this.answers.shift()?.(call, request);
          });
        },
      },
    );
  }

  async start(): Promise<this> {
    this.port = await new Promise((settle, fail) =>
      this.server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) =>
        error ? fail(error) : settle(port),
      ),
    );
    return this;
  }

  stop(): void {
    this.server.forceShutdown();
  }
}

const event = { id: '7d9a1e0e-5bc6-4f4f-9d2f-0d6a4d3d1c7b', type: 'Some', data: Buffer.from('{}') };
const events = [{ ...event, metadata: Buffer.from('{}') }];
const servers: ScriptedServer[] = [];
const clients: EventStoreDBClient[] = [];

const serverWith = async (...answers: Answer[]): Promise<ScriptedServer> => {
  const server = await new ScriptedServer(answers).start();
  servers.push(server);
  return server;
};

/** Appends as the log does: ambiguous failures are repeated. */
const appendTo = ({ port }: ScriptedServer) => {
  const client = EventStoreDBClient.connectionString(`esdb://127.0.0.1:${port}?tls=false`);
  clients.push(client);
  const appends = new Appends(client);
  return () =>
    repeated(
      () => appends.append('some', events, 'any', 10_000),
      () => false,
    );
};

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.dispose()));
  for (const server of servers.splice(0)) server.stop();
});

/** Guarantee: a failure of a call or of its server ends no process and blocks no later append. */
describe('the call of all appends', () => {
  it('is one for many appends', async () => {
    const server = await serverWith(succeed, succeed, succeed);
    const append = appendTo(server);
    expect(await Promise.all([append(), append(), append()])).toEqual([7n, 7n, 7n]);
    expect(server.calls).toBe(1);
  });

  it.each<[string, Answer]>([
    ['is unavailable', breakWith(14)],
    ['cancels it', breakWith(1)],
    ['ends it without an answer', (call) => call.end()],
    ['answers with a malformed message', (call) => call.write(Buffer.from([0x0a, 0x7f]))],
    ['is not ready', refuse('Server Is Not Ready', 'google.protobuf.Empty')],
    ['is busy', refuse('Server Is Busy', 'google.protobuf.Empty')],
    ['knows no leader', refuse('No leader info available in response', 'google.protobuf.Empty')],
    ['times out', refuse('Timeout', 'event_store.client.Timeout')],
  ])('repeats an append with the same event if the server %s', async (_, answer) => {
    const server = await serverWith(answer, succeed, succeed);
    const append = appendTo(server);
    expect(await append()).toBe(7n);
    expect(await append()).toBe(7n);
    expect(server.asked).toEqual([event.id, event.id, event.id]);
  });

  it('goes to the leader that a server names', async () => {
    const leader = await serverWith(succeed, succeed);
    const metadata = new Metadata();
    metadata.set('exception', 'not-leader');
    metadata.set('leader-endpoint-host', '127.0.0.1');
    metadata.set('leader-endpoint-port', String(leader.port));
    const append = appendTo(await serverWith(breakWith(5, metadata)));
    expect(await Promise.all([append(), append()])).toEqual([7n, 7n]);
    expect(leader.asked).toHaveLength(2);
  });

  it.each<[string, Answer, unknown]>([
    ['without details', refuse('odd'), UnknownError],
    ['of an internal error', refuse('broken', 'google.protobuf.Empty', 13), UnknownError],
    ['of a bad request', refuse('bad', 'event_store.client.BadRequest'), UnknownError],
    ['of a deleted stream', refuse('deleted', 'event_store.client.StreamDeleted'), StreamDeletedError],
  ])('fails the one append whose status is %s', async (_, answer, error) => {
    const server = await serverWith(answer, succeed);
    const append = appendTo(server);
    await expect(append()).rejects.toBeInstanceOf(error);
    expect(await append()).toBe(7n);
    expect(server.asked).toHaveLength(2);
    expect(server.calls).toBe(1);
  });

  it('passes over answers to appends that are no longer awaited', async () => {
    const stranger = new messages.UUID().setString('00000000-0000-4000-8000-000000000000');
    const server = await serverWith((call, request) => {
      call.write(new BatchAppendResp().setCorrelationId(stranger).serializeBinary());
      succeed(call, request);
    });
    expect(await appendTo(server)()).toBe(7n);
  });
});
