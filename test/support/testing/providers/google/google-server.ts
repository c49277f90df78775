import { type JsonObject, parseJsonObject } from '@app/kernel';
import type { Part, Reply } from '../replies/reply.js';
import { json, type Outgoing } from '../server/outgoing.js';
import { ProviderServer } from '../server/provider-server.js';
import type { RecordedRequest } from '../server/recorded-request.js';
import type { Script } from '../server/script.js';
import { BYTES_PER_TOKEN, type TokenCount, tokensBy } from '../values/token-count.js';
import { objectsIn } from '../values/wire-values.js';

export type GoogleOptions = {
  readonly script?: Script;
  /** Input limit of every model, in tokens; 1,048,576 by default. */
  readonly window?: number;
};

/** Google's `generateContent`, streamed or not, on a local port. Failures of scripts are answered as a 503. */
export class GoogleServer extends ProviderServer {
  static async start(options: GoogleOptions = {}): Promise<GoogleServer> {
    const server = new GoogleServer(options);
    await server.listen();
    return server;
  }

  private readonly window: number;
  private readonly count: TokenCount = tokensBy(BYTES_PER_TOKEN);

  private constructor({ script, window = 1_048_576 }: GoogleOptions) {
    super(script);
    this.window = window;
  }

  protected headers(): Readonly<Record<string, string>> {
    return {};
  }

  protected async answer(request: RecordedRequest): Promise<Outgoing> {
    const { method, path, text, headers } = request;
    const [, model = '', action] =
      /^\/v1beta\/models\/([^/:]+):(generateContent|streamGenerateContent)$/.exec(path) ?? [];
    if (method !== 'POST' || action === undefined) return refuse(404, 'NOT_FOUND', 'Not Found');
    if (headers['x-goog-api-key'] === undefined)
      return refuse(403, 'PERMISSION_DENIED', "Method doesn't allow unregistered callers.");
    const body = parseJsonObject(text);
    if (!body) return invalid('Invalid JSON payload received.');
    const problem = problemIn(objectsIn(body.contents));
    if (problem !== undefined) return invalid(problem);
    const tokens = this.count(text);
    if (tokens > this.window)
      return invalid(
        `The input token count (${tokens}) exceeds the maximum number of tokens allowed (${this.window}).`,
      );
    const reply = await this.replies.next(request);
    if (reply?.kind !== 'answer') return refuse(503, 'UNAVAILABLE', 'The model is overloaded.');
    const { whole, usage } = this.said(model, reply, tokens);
    if (action === 'generateContent') return json(200, whole, { usage });
    const frames = [`data: ${JSON.stringify(whole)}\r\n\r\n`];
    return { kind: 'stream', headers: {}, frames, errorFrames: () => [], usage };
  }

  private said(model: string, { parts }: Extract<Reply, { kind: 'answer' }>, tokens: number) {
    const written = this.count(JSON.stringify(parts));
    const usage = {
      ...{ promptTokenCount: tokens, candidatesTokenCount: written, totalTokenCount: tokens + written },
    };
    const content = { role: 'model', parts: parts.map(partOf) };
    const candidates = [{ content, finishReason: 'STOP', index: 0 }];
    return { whole: { candidates, usageMetadata: usage, modelVersion: model }, usage };
  }
}

const partOf = (part: Part): JsonObject => {
  if (part.type === 'call') return { functionCall: { name: part.name, args: part.input } };
  if (part.type === 'block') return part.block;
  return { text: part.text, ...(part.type !== 'text' && { thought: true }) };
};

/** Returns the provider's complaint about calls and their results, which must follow each other directly. */
const problemIn = (contents: readonly JsonObject[]): string | undefined => {
  if (contents.length === 0) return '* GenerateContentRequest.contents: contents is not specified';
  for (const [at, content] of contents.entries()) {
    if (objectsIn(content.parts).length === 0)
      return `* GenerateContentRequest.contents[${at}].parts: contents.parts must not be empty.`;
    if (content.role !== 'user' && content.role !== 'model') return 'Please use a valid role: user, model.';
    const calls = countIn(content, 'functionCall');
    const results = countIn(contents[at + 1] ?? {}, 'functionResponse');
    if (calls !== results && (calls > 0 || results > 0))
      return 'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.';
    if (calls > 0 && (at === 0 || contents[at - 1]?.role === 'model'))
      return 'Please ensure that function call turn comes immediately after a user turn or after a function response turn.';
  }
  return countIn(contents[0] ?? {}, 'functionResponse') > 0
    ? 'Please ensure that function response turn comes immediately after a function call turn.'
    : undefined;
};

const countIn = ({ parts }: JsonObject, member: string): number =>
  objectsIn(parts).filter((part) => member in part).length;

const refuse = (code: number, status: string, message: string): Outgoing =>
  json(code, { error: { code, message, status } });
const invalid = (message: string): Outgoing => refuse(400, 'INVALID_ARGUMENT', message);
