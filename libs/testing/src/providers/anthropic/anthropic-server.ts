import { randomBytes } from 'node:crypto';
import type { JsonObject } from '@app/kernel';
import { json, type Outgoing } from '../server/outgoing.js';
import { ProviderServer } from '../server/provider-server.js';
import { credentialOf, type RecordedRequest } from '../server/recorded-request.js';
import type { Script } from '../server/script.js';
import { BYTES_PER_TOKEN, tokensBy } from '../values/token-count.js';
import { PromptCache } from './caching/prompt-cache.js';
import { invalid, notFound, type Refusal, refuse } from './failures/refusal.js';
import { modelInfo, modelList } from './listing.js';
import { type AnthropicModels, anthropicModels, type ModelChanges } from './models.js';
import { versionOf } from './prompt/headers.js';
import { answering, type Writer } from './replies/answering.js';
import { type JudgeOptions, judge } from './rules/judge.js';

export type AnthropicOptions = ModelChanges & {
  readonly script?: Script;
  /** The only key that is let in; without it any key is, but not none. */
  readonly key?: string;
  readonly bytesPerToken?: number;
  /** Milliseconds since the epoch, by which the cache forgets. */
  readonly now?: () => number;
};

const VERSIONS = ['2023-06-01', '2026-10-21'];

/** Anthropic's Messages API on a local port. */
export class AnthropicServer extends ProviderServer {
  static async start(options: AnthropicOptions = {}): Promise<AnthropicServer> {
    const server = new AnthropicServer(options);
    await server.listen();
    return server;
  }

  private readonly key: string | undefined;
  private readonly models: AnthropicModels;
  private readonly judging: JudgeOptions;
  private readonly writer: Writer;

  private constructor(options: AnthropicOptions) {
    super(options.script);
    this.key = options.key;
    this.models = anthropicModels(options);
    const secret = randomBytes(16).toString('hex');
    const count = tokensBy(options.bytesPerToken ?? BYTES_PER_TOKEN);
    this.judging = { models: this.models, count, secret };
    let written = 0;
    this.writer = {
      ...{ secret, count, cache: new PromptCache(options.now ?? Date.now) },
      nextId: (kind) => {
        written += 1;
        return `${kind}_${String(written).padStart(24, '0')}`;
      },
    };
  }

  protected headers(id: string): Readonly<Record<string, string>> {
    return { 'request-id': id };
  }

  protected async answer(request: RecordedRequest): Promise<Outgoing> {
    const id = `req_${request.at}`;
    const refusal = this.refusalAtDoor(request);
    if (refusal) return refuse(refusal, id);
    const { method, path, body } = request;
    if (method === 'GET') return this.tellModels(path, id);
    if (method === 'POST' && path === '/v1/messages') return this.createMessage(request, id);
    if (method === 'POST' && path === '/v1/messages/count_tokens') return this.countTokens(body, id);
    return refuse(notFound('Not Found'), id);
  }

  private refusalAtDoor(request: RecordedRequest): Refusal | undefined {
    const credential = credentialOf(request);
    if (!credential || (this.key !== undefined && credential.key !== this.key))
      return { status: 401, type: 'authentication_error', message: credentialText(credential?.kind) };
    const version = versionOf(request);
    if (version === undefined) return invalid('anthropic-version: header is required');
    if (!VERSIONS.includes(version)) return invalid(`anthropic-version: "${version}" is not a valid version`);
    return undefined;
  }

  private tellModels(path: string, requestId: string): Outgoing {
    if (path === '/v1/models') return json(200, modelList(this.models.all()));
    const [, id = ''] = /^\/v1\/models\/([^/]+)$/.exec(path) ?? [];
    const model = this.models.find(decodeURIComponent(id));
    return model ? json(200, modelInfo(model)) : refuse(notFound(`model: ${id}`), requestId);
  }

  private countTokens(body: JsonObject, id: string): Outgoing {
    const judgement = judge(body, this.judging);
    if ('refusal' in judgement) return refuse(judgement.refusal, id);
    return json(200, { input_tokens: judgement.accepted.tokens });
  }

  private async createMessage(request: RecordedRequest, id: string): Promise<Outgoing> {
    const judgement = judge(request.body, this.judging);
    if ('refusal' in judgement) return refuse(judgement.refusal, id);
    const reply = await this.replies.next(request);
    if (!reply)
      return refuse(
        { status: 500, type: 'api_error', message: 'the script is at its end', headers: NO_RETRY },
        id,
      );
    return answering(request, reply, judgement.accepted, this.writer);
  }
}

const NO_RETRY = { 'x-should-retry': 'false' };
const credentialText = (kind: 'bearer' | 'x-api-key' | undefined): string =>
  kind === 'bearer' ? 'Invalid bearer token' : kind ? 'invalid x-api-key' : 'x-api-key header is required';
