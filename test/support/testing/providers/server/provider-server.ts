import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { parseJsonObject } from '@app/kernel';
import type { Reply } from '../replies/reply.js';
import type { Outgoing } from './outgoing.js';
import type { Ending, RecordedRequest } from './recorded-request.js';
import { Replies, type Script } from './script.js';
import { send } from './send.js';

/** A local server that speaks a provider's wire format; subclasses answer. */
export abstract class ProviderServer {
  /** Every request so far, in order of arrival. */
  readonly requests: RecordedRequest[] = [];
  protected readonly replies: Replies;
  private readonly server: Server;
  private waiting: { readonly count: number; readonly resolve: () => void }[] = [];

  protected constructor(script: Script | undefined) {
    this.replies = new Replies(script);
    this.server = createServer((incoming, response) => void this.serve(incoming, response));
  }

  /** The address without a path: the base URL of Anthropic's SDK. OpenAI's needs `/v1` appended. */
  get url(): string {
    const { port }: Partial<AddressInfo> = Object(this.server.address());
    return `http://127.0.0.1:${port}`;
  }

  /** Answers the next requests with these, before other scripted replies. */
  reply(...replies: readonly Reply[]): void {
    this.replies.add(replies);
  }

  /** Resolves once `count` requests have arrived since the start, or since {@link forget}. */
  received(count: number): Promise<void> {
    if (this.requests.length >= count) return Promise.resolve();
    return new Promise((resolve) => this.waiting.push({ count, resolve }));
  }

  /** Clears the recorded requests and unused added replies; keeps caches. */
  forget(): void {
    this.replies.forget();
    this.requests.length = 0;
  }

  /** Closes the server and every connection, including waiting ones. */
  close(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  protected listen(): Promise<void> {
    return new Promise((resolve) => this.server.listen(0, '127.0.0.1', resolve));
  }

  protected abstract answer(request: RecordedRequest): Promise<Outgoing>;
  /** The headers of every answer; the id names the request. */
  protected abstract headers(id: string): Readonly<Record<string, string>>;

  private async serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    let isCutting = false;
    const ended = new Promise<Ending>((resolve) =>
      response.once('close', () =>
        resolve(response.writableFinished ? 'answered' : isCutting ? 'cut' : 'left'),
      ),
    );
    response.on('error', () => {}); // The client has left.
    const body = await text(incoming).catch(() => undefined);
    if (body === undefined) return; // The client left during its request.
    const request = this.record(incoming, body, ended);
    void ended.then(() => Object.assign(request, { answeredAt: performance.now() }));
    for (const [name, value] of Object.entries(this.headers(`req_${request.at}`)))
      response.setHeader(name, value);
    const outgoing = await this.answer(request).catch(defect);
    const status = outgoing.kind === 'body' ? outgoing.status : outgoing.kind === 'stream' ? 200 : undefined;
    const usage = 'usage' in outgoing ? outgoing.usage : undefined;
    Object.assign(request, status !== undefined && { status }, usage && { usage });
    isCutting = cuts(outgoing);
    await send(outgoing, response);
  }

  private record(
    { method = '', url = '', headers }: IncomingMessage,
    body: string,
    ended: RecordedRequest['ended'],
  ): RecordedRequest {
    const arrivedAt = performance.now();
    const [path = '', query = ''] = url.split('?');
    const json = parseJsonObject(body) ?? {};
    const times = { at: this.requests.length, arrivedAt };
    const request = { ...times, method, path, query, headers, text: body, body: json, ended };
    this.requests.push(request);
    const due = this.waiting.filter(({ count }) => count <= this.requests.length);
    this.waiting = this.waiting.filter((one) => !due.includes(one));
    for (const { resolve } of due) resolve();
    return request;
  }
}

const cuts = (outgoing: Outgoing): boolean =>
  outgoing.kind === 'hang-up' || ('disturbance' in outgoing && outgoing.disturbance?.kind === 'cut');

/** Reports a defect of the server or a script to the test at once. */
const defect = (error: unknown): Outgoing => ({
  kind: 'body',
  status: 500,
  headers: { 'content-type': 'text/plain', 'x-should-retry': 'false' },
  body: error instanceof Error ? (error.stack ?? error.message) : String(error),
});
