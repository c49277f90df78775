import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { parseJsonObject } from '@app/kernel';
import type { Reply } from '../replies/reply.js';
import type { Outgoing } from './outgoing.js';
import type { RecordedRequest } from './recorded-request.js';
import { Replies, type Script } from './script.js';
import { send } from './send.js';

/** A local server that speaks a provider's wire format; what it answers is the subclass's. */
export abstract class ProviderServer {
  /** Every request so far, in the order of their arrival. */
  readonly requests: RecordedRequest[] = [];
  protected readonly replies: Replies;
  private readonly server: Server;
  private waiting: { readonly count: number; readonly resolve: () => void }[] = [];

  protected constructor(script: Script | undefined) {
    this.replies = new Replies(script);
    this.server = createServer((incoming, response) => void this.serve(incoming, response));
  }

  /** The address without a path: what Anthropic's SDK takes as its base URL. OpenAI's wants `/v1` behind it. */
  get url(): string {
    const { port }: Partial<AddressInfo> = Object(this.server.address());
    return `http://127.0.0.1:${port}`;
  }

  /** Answers the next requests with these, before anything else that is scripted. */
  reply(...replies: readonly Reply[]): void {
    this.replies.add(replies);
  }

  /** Settles once `count` requests have come in since the start, or since {@link forget}. */
  received(count: number): Promise<void> {
    if (this.requests.length >= count) return Promise.resolve();
    return new Promise((resolve) => this.waiting.push({ count, resolve }));
  }

  /** Begins the record of requests anew; caches and stored responses stay. */
  forget(): void {
    this.requests.length = 0;
  }

  /** Ends the server and every connection to it, those that it keeps waiting included. */
  close(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  protected listen(): Promise<void> {
    return new Promise((resolve) => this.server.listen(0, '127.0.0.1', resolve));
  }

  protected abstract answer(request: RecordedRequest): Promise<Outgoing>;
  /** Headers of every answer; the id names the request. */
  protected abstract headers(id: string): Readonly<Record<string, string>>;

  private async serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const ended = new Promise<'answered' | 'left'>((resolve) =>
      response.once('close', () => resolve(response.writableFinished ? 'answered' : 'left')),
    );
    const body = await text(incoming).catch(() => undefined);
    if (body === undefined) return; // The client left in the middle of its own request.
    const request = this.record(incoming, body, ended);
    for (const [name, value] of Object.entries(this.headers(`req_${request.at}`)))
      response.setHeader(name, value);
    const outgoing = await this.answer(request);
    const status = outgoing.kind === 'body' ? outgoing.status : outgoing.kind === 'stream' ? 200 : undefined;
    const usage = 'usage' in outgoing ? outgoing.usage : undefined;
    Object.assign(request, status !== undefined && { status }, usage && { usage });
    await send(outgoing, response);
  }

  private record(
    { method = '', url = '', headers }: IncomingMessage,
    body: string,
    ended: RecordedRequest['ended'],
  ): RecordedRequest {
    const [path = '', query = ''] = url.split('?');
    const json = parseJsonObject(body) ?? {};
    const request = { at: this.requests.length, method, path, query, headers, text: body, body: json, ended };
    this.requests.push(request);
    const due = this.waiting.filter(({ count }) => count <= this.requests.length);
    this.waiting = this.waiting.filter((one) => !due.includes(one));
    for (const { resolve } of due) resolve();
    return request;
  }
}
