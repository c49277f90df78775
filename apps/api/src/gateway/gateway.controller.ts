import { Controller, Inject, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { Endpoint, type EndpointOptions } from '../http/endpoint.js';
import { WRITERS } from '../sessions/roles.js';
import { GatewayEntry } from './gateway-entry.js';
import { gatewayHeaders } from './headers.js';

/** Requests and answers have the provider's form, which its own documentation describes. */
const response = z.looseObject({}).meta({
  id: 'ProviderResponse',
  description: 'The provider’s answer; server-sent events if the request asks for a stream',
});

/** Returns the options of an endpoint that composes a request and forwards it. */
const composedEndpoint = (
  provider: 'anthropic' | 'openai',
  id: string,
  summary: string,
): EndpointOptions => ({
  ...forwardedEndpoint(provider, id, summary),
  content: 'request',
  consumes: ['application/json'],
  headers: gatewayHeaders,
  errors: [
    'append-too-large',
    'compaction-disabled',
    'context-overflow',
    'request-refused',
    'session-closed',
    'upstream-unreachable',
    'upstream-key-missing',
  ],
});

/** Returns the options of an endpoint that forwards a request without a body. */
const forwardedEndpoint = (
  provider: 'anthropic' | 'openai',
  id: string,
  summary: string,
): EndpointOptions => ({
  id,
  summary,
  provider,
  response,
  roles: WRITERS,
  content: 'none',
});

/** The routes of the providers’ own APIs, below `/gateway`. */
@Controller()
export class GatewayController {
  constructor(@Inject(GatewayEntry) private readonly entry: GatewayEntry) {}

  @Endpoint(
    'POST',
    'gateway/anthropic/v1/messages',
    composedEndpoint(
      'anthropic',
      'createMessage',
      'Forwards a request to Anthropic’s Messages API with a compacted context.',
    ),
  )
  createMessage(@Res() reply: FastifyReply): Promise<void> {
    return this.entry.serve('anthropic', reply);
  }

  @Endpoint(
    'POST',
    'gateway/anthropic/v1/messages/count_tokens',
    composedEndpoint(
      'anthropic',
      'countTokens',
      'Counts the tokens of a request to Anthropic’s Messages API.',
    ),
  )
  countTokens(@Res() reply: FastifyReply): Promise<void> {
    return this.entry.count('anthropic', reply);
  }

  @Endpoint(
    'POST',
    'gateway/openai/v1/chat/completions',
    composedEndpoint(
      'openai',
      'createChatCompletion',
      'Forwards a request to OpenAI’s Chat Completions API with a compacted context.',
    ),
  )
  createChatCompletion(@Res() reply: FastifyReply): Promise<void> {
    return this.entry.serve('openai-chat', reply);
  }

  @Endpoint(
    'POST',
    'gateway/openai/v1/responses',
    composedEndpoint(
      'openai',
      'createResponse',
      'Forwards a request to OpenAI’s Responses API with a compacted context.',
    ),
  )
  createResponse(@Res() reply: FastifyReply): Promise<void> {
    return this.entry.serve('openai-responses', reply);
  }

  @Endpoint('POST', 'gateway/openai/v1/responses/compact', {
    ...forwardedEndpoint(
      'openai',
      'compactResponse',
      'Forwards a request for OpenAI’s own compaction unchanged and stores nothing.',
    ),
    consumes: ['application/json'],
    errors: ['append-too-large', 'upstream-unreachable', 'upstream-key-missing'],
  })
  compactResponse(@Res() reply: FastifyReply): Promise<void> {
    return this.entry.forward('openai-responses', reply);
  }

  @Endpoint(
    'GET',
    'gateway/anthropic/v1/models',
    forwardedEndpoint('anthropic', 'listAnthropicModels', 'Lists Anthropic’s models, in Anthropic’s form.'),
  )
  listAnthropicModels(@Res() reply: FastifyReply): Promise<void> {
    return this.entry.ask('anthropic', reply);
  }

  @Endpoint(
    'GET',
    'gateway/anthropic/v1/models/:model',
    forwardedEndpoint('anthropic', 'getAnthropicModel', 'Returns a model of Anthropic, in Anthropic’s form.'),
  )
  getAnthropicModel(@Res() reply: FastifyReply): Promise<void> {
    return this.entry.ask('anthropic', reply);
  }

  @Endpoint(
    'GET',
    'gateway/openai/v1/models',
    forwardedEndpoint('openai', 'listOpenAiModels', 'Lists OpenAI’s models, in OpenAI’s form.'),
  )
  listOpenAiModels(@Res() reply: FastifyReply): Promise<void> {
    return this.entry.ask('openai-chat', reply);
  }

  @Endpoint(
    'GET',
    'gateway/openai/v1/models/:model',
    forwardedEndpoint('openai', 'getOpenAiModel', 'Returns a model of OpenAI, in OpenAI’s form.'),
  )
  getOpenAiModel(@Res() reply: FastifyReply): Promise<void> {
    return this.entry.ask('openai-chat', reply);
  }
}
