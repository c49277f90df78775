import { type JsonObject, parseJsonObject } from '@app/kernel';
import { fail } from '../replies/failure.js';
import type { Reply } from '../replies/reply.js';
import { json, type Outgoing } from '../server/outgoing.js';
import { ProviderServer } from '../server/provider-server.js';
import { credentialOf, type RecordedRequest } from '../server/recorded-request.js';
import type { Script } from '../server/script.js';
import { BYTES_PER_TOKEN, type TokenCount } from '../values/token-count.js';
import { answeringChat } from './chat/answering.js';
import { failing, refusalOf } from './failures/failing.js';
import { invalid, refuse } from './failures/refusal.js';
import { type OpenAiModel, type OpenAiModelChanges, type OpenAiModels, openAiModels } from './models.js';
import { answeringResponse } from './responses/answering.js';
import { answeringCompact } from './responses/compaction.js';
import { type Judgement, judgeChat, judgeResponse } from './rules/judge.js';
import { type Accepted, Writer } from './writer.js';

export type OpenAiOptions = OpenAiModelChanges & {
  readonly script?: Script;
  /** The only accepted key; by default any key is accepted, but none is not. */
  readonly key?: string;
  readonly bytesPerToken?: number;
  /** The provider's tokenizer; by default a fixed ratio of bytes. */
  readonly count?: TokenCount;
  /** The largest body in bytes, 32 MB by default. */
  readonly bodyMax?: number;
};

/** OpenAI's Chat Completions and Responses APIs on a local port. */
export class OpenAiServer extends ProviderServer {
  static async start(options: OpenAiOptions = {}): Promise<OpenAiServer> {
    const server = new OpenAiServer(options);
    await server.listen();
    return server;
  }

  private readonly key: string | undefined;
  private readonly bodyMax: number;
  private readonly models: OpenAiModels;
  private readonly writer: Writer;

  private constructor(options: OpenAiOptions) {
    super(options.script);
    this.key = options.key;
    this.bodyMax = options.bodyMax ?? BODY_MAX;
    this.models = openAiModels(options);
    this.writer = new Writer(options.bytesPerToken ?? BYTES_PER_TOKEN, options.count);
  }

  protected headers(id: string): Readonly<Record<string, string>> {
    return { 'x-request-id': id };
  }

  protected async answer(request: RecordedRequest): Promise<Outgoing> {
    if (Buffer.byteLength(request.text) > this.bodyMax) return failing(fail('too-large'), 'chat', 0);
    const credential = credentialOf(request);
    if (credential?.kind !== 'bearer' || (this.key !== undefined && credential.key !== this.key))
      return refuse(refusalOf('unauthorized', 'chat', 0));
    const { method, path } = request;
    if (method === 'GET' && path.startsWith('/v1/models')) return this.tellModels(path);
    if (method === 'POST') return this.post(request);
    return refuse({ ...invalid(`Invalid URL (${method} ${path})`), status: 404 });
  }

  private post(request: RecordedRequest): Promise<Outgoing> | Outgoing {
    const { path } = request;
    const body = parseJsonObject(request.text);
    if (!body) return refuse(invalid(NO_JSON));
    const judged = (judge: typeof judgeChat) => judge(body, this.models, this.writer);
    switch (path) {
      case '/v1/chat/completions':
        return this.said(request, judged(judgeChat), (reply, accepted) =>
          answeringChat(body, reply, accepted, this.writer),
        );
      case '/v1/responses':
        return this.said(request, judged(judgeResponse), (reply, accepted) =>
          answeringResponse(body, reply, accepted, this.writer),
        );
      case '/v1/responses/compact':
        return this.said(request, judged(judgeResponse), (reply, accepted) =>
          answeringCompact(reply, accepted, this.writer),
        );
      case '/v1/responses/input_tokens':
        return told(judged(judgeResponse), ({ tokens }) =>
          json(200, { object: 'response.input_tokens', input_tokens: tokens }),
        );
      default:
        return refuse({ ...invalid(`Invalid URL (POST ${path})`), status: 404 });
    }
  }

  private tellModels(path: string): Outgoing {
    if (path === '/v1/models') return json(200, { object: 'list', data: this.models.all().map(listed) });
    const id = decodeURIComponent(path.slice('/v1/models/'.length));
    const model = this.models.find(id);
    if (model) return json(200, listed(model));
    const message = `The model '${id}' does not exist`;
    return refuse({ ...invalid(message, 'model', 'model_not_found'), status: 404 });
  }

  private async said(
    request: RecordedRequest,
    judgement: Judgement,
    answering: (reply: Reply, accepted: Accepted) => Outgoing,
  ): Promise<Outgoing> {
    if ('refusal' in judgement) return refuse(judgement.refusal);
    const reply = await this.replies.next(request);
    return reply ? answering(reply, judgement.accepted) : scriptEnded();
  }
}

const BODY_MAX = 32 * 1024 * 1024;
const NO_JSON =
  "We could not parse the JSON body of your request. (HINT: This likely means you aren't using your HTTP library correctly.)";

const told = (judgement: Judgement, tell: (accepted: Accepted) => Outgoing): Outgoing =>
  'refusal' in judgement ? refuse(judgement.refusal) : tell(judgement.accepted);

const listed = ({ id }: OpenAiModel): JsonObject => ({
  ...{ id, object: 'model', created: 1_790_000_000, owned_by: 'openai' },
});

const scriptEnded = (): Outgoing =>
  refuse({
    ...{ status: 500, type: 'server_error', message: 'the script is at its end' },
    headers: { 'x-should-retry': 'false' },
  });
