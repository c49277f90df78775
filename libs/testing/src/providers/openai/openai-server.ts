import type { JsonObject } from '@app/kernel';
import { json, type Outgoing } from '../server/outgoing.js';
import { ProviderServer } from '../server/provider-server.js';
import { credentialOf, type RecordedRequest } from '../server/recorded-request.js';
import type { Script } from '../server/script.js';
import { BYTES_PER_TOKEN } from '../values/token-count.js';
import { objectsIn } from '../values/wire-values.js';
import { answeringChat } from './chat/answering.js';
import { refusalOf } from './failures/failing.js';
import { invalid, refuse } from './failures/refusal.js';
import { type OpenAiModel, type OpenAiModelChanges, type OpenAiModels, openAiModels } from './models.js';
import { inputItems } from './prompt/requested.js';
import { answeringResponse } from './responses/answering.js';
import { type Judgement, judge } from './rules/judge.js';
import { Writer } from './writer.js';

export type OpenAiOptions = OpenAiModelChanges & {
  readonly script?: Script;
  /** The only key that is let in; without it any key is, but not none. */
  readonly key?: string;
  readonly bytesPerToken?: number;
};

/** OpenAI's Chat Completions and Responses APIs on a local port. */
export class OpenAiServer extends ProviderServer {
  static async start(options: OpenAiOptions = {}): Promise<OpenAiServer> {
    const server = new OpenAiServer(options);
    await server.listen();
    return server;
  }

  private readonly key: string | undefined;
  private readonly models: OpenAiModels;
  private readonly writer: Writer;

  private constructor(options: OpenAiOptions) {
    super(options.script);
    this.key = options.key;
    this.models = openAiModels(options);
    this.writer = new Writer(options.bytesPerToken ?? BYTES_PER_TOKEN);
  }

  protected headers(id: string): Readonly<Record<string, string>> {
    return { 'x-request-id': id };
  }

  protected async answer(request: RecordedRequest): Promise<Outgoing> {
    const credential = credentialOf(request);
    if (credential?.kind !== 'bearer' || (this.key !== undefined && credential.key !== this.key))
      return refuse(refusalOf('unauthorized', 'chat', 0));
    const { method, path } = request;
    if (method === 'GET' && path.startsWith('/v1/models')) return this.tellModels(path);
    if (method === 'POST')
      switch (path) {
        case '/v1/chat/completions':
          return this.createCompletion(request);
        case '/v1/responses':
          return this.createResponse(request);
        case '/v1/responses/input_tokens':
          return this.countInput(request.body);
      }
    return refuse({ ...invalid(`Invalid URL (${method} ${path})`), status: 404 });
  }

  private tellModels(path: string): Outgoing {
    if (path === '/v1/models') return json(200, { object: 'list', data: this.models.all().map(listed) });
    const id = decodeURIComponent(path.slice('/v1/models/'.length));
    const model = this.models.find(id);
    if (model) return json(200, listed(model));
    const message = `The model '${id}' does not exist`;
    return refuse({ ...invalid(message, 'model', 'model_not_found'), status: 404 });
  }

  private async createCompletion(request: RecordedRequest): Promise<Outgoing> {
    const { body } = request;
    const judgement = judge('chat', body, objectsIn(body.messages), this.models, this.writer);
    if ('refusal' in judgement) return refuse(judgement.refusal);
    const reply = await this.replies.next(request);
    return reply ? answeringChat(body, reply, judgement.accepted, this.writer) : scriptEnded();
  }

  private async createResponse(request: RecordedRequest): Promise<Outgoing> {
    const judgement = this.judged(request.body);
    if ('refusal' in judgement) return refuse(judgement.refusal);
    const reply = await this.replies.next(request);
    return reply ? answeringResponse(request.body, reply, judgement.accepted, this.writer) : scriptEnded();
  }

  private countInput(body: JsonObject): Outgoing {
    const judgement = this.judged(body);
    if ('refusal' in judgement) return refuse(judgement.refusal);
    return json(200, { object: 'response.input_tokens', input_tokens: judgement.accepted.tokens });
  }

  private judged(body: JsonObject): Judgement {
    return judge('responses', body, inputItems(body.input), this.models, this.writer);
  }
}

const listed = ({ id }: OpenAiModel): JsonObject => ({
  ...{ id, object: 'model', created: 1_790_000_000, owned_by: 'openai' },
});

const scriptEnded = (): Outgoing =>
  refuse({
    ...{ status: 500, type: 'server_error', message: 'the script is at its end' },
    headers: { 'x-should-retry': 'false' },
  });
