import { randomBytes } from 'node:crypto';
import { parseJsonObject } from '@app/kernel';
import { fail } from '../replies/failure.js';
import { json, type Outgoing } from '../server/outgoing.js';
import { ProviderServer } from '../server/provider-server.js';
import { credentialOf, type RecordedRequest } from '../server/recorded-request.js';
import type { Script } from '../server/script.js';
import { BYTES_PER_TOKEN, type TokenCount, tokensBy } from '../values/token-count.js';
import { failing } from './failures/failing.js';
import { invalid, notFound, type Refusal, refuse } from './failures/refusal.js';
import { modelInfo, modelList } from './listing.js';
import { type AnthropicModels, anthropicModels, type ModelChanges } from './models.js';
import { betasOf, versionOf } from './prompt/headers.js';
import { PromptCache } from './prompt-cache.js';
import { answering } from './replies/answering.js';
import type { Writer } from './replies/writer.js';
import { type Judgement, type JudgeOptions, judge } from './rules/judge.js';
import type { Call } from './rules/parameters.js';

export type AnthropicOptions = ModelChanges & {
  readonly script?: Script;
  /** The only accepted key; by default any key is accepted, but none is not. */
  readonly key?: string;
  readonly bytesPerToken?: number;
  /** The provider's tokenizer; by default a fixed ratio of bytes. */
  readonly count?: TokenCount;
  /** Accepts thinking of other origins, such as recorded sessions. */
  readonly trustsForeignThinking?: boolean;
  /** The largest body in bytes, 32 MB by default. */
  readonly bodyMax?: number;
  /** The cache's clock, in milliseconds since the epoch. */
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
  private readonly bodyMax: number;
  private readonly models: AnthropicModels;
  private readonly judging: JudgeOptions;
  private readonly writer: Writer;

  private constructor(options: AnthropicOptions) {
    super(options.script);
    this.key = options.key;
    this.models = anthropicModels(options);
    const secret = randomBytes(16).toString('hex');
    const count = options.count ?? tokensBy(options.bytesPerToken ?? BYTES_PER_TOKEN);
    const trustsForeignThinking = options.trustsForeignThinking ?? false;
    this.judging = { models: this.models, count, secret, trustsForeignThinking };
    this.bodyMax = options.bodyMax ?? BODY_MAX;
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
    if (Buffer.byteLength(request.text) > this.bodyMax) return failing(fail('too-large'), 0, id);
    const refusal = this.refusalAtDoor(request);
    if (refusal) return refuse(refusal, id);
    const { method, path } = request;
    if (method === 'GET') return this.tellModels(path, id);
    if (method === 'POST' && path === '/v1/messages') return this.createMessage(request, id);
    if (method === 'POST' && path === '/v1/messages/count_tokens') return this.countTokens(request, id);
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

  private countTokens(request: RecordedRequest, id: string): Outgoing {
    const judgement = this.judged(request, 'count');
    if ('refusal' in judgement) return refuse(judgement.refusal, id);
    const { tokens, originalTokens } = judgement.accepted;
    return json(200, {
      input_tokens: tokens,
      ...(request.body.context_management != null && {
        context_management: { original_input_tokens: originalTokens },
      }),
    });
  }

  private async createMessage(request: RecordedRequest, id: string): Promise<Outgoing> {
    const judgement = this.judged(request, 'create');
    if ('refusal' in judgement) return refuse(judgement.refusal, id);
    const reply = await this.replies.next(request);
    if (!reply)
      return refuse(
        { status: 500, type: 'api_error', message: 'the script is at its end', headers: NO_RETRY },
        id,
      );
    return answering(request, reply, judgement.accepted, this.writer);
  }

  private judged(request: RecordedRequest, call: Call): Judgement {
    const body = parseJsonObject(request.text);
    if (!body) return { refusal: invalid('The request body is not valid JSON') };
    const terms = { betas: betasOf(request), version: versionOf(request) ?? '' };
    return judge(body, call, terms, this.judging);
  }
}

const BODY_MAX = 32 * 1024 * 1024;
const NO_RETRY = { 'x-should-retry': 'false' };
const credentialText = (kind: 'bearer' | 'x-api-key' | undefined): string =>
  kind === 'bearer' ? 'Invalid bearer token' : kind ? 'invalid x-api-key' : 'x-api-key header is required';
