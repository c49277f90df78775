import { z } from 'zod';
import type { EndpointOptions } from '../http/endpoint.js';
import { WRITERS } from '../sessions/roles.js';
import { gatewayHeaders } from './headers.js';

/** Requests and answers have the provider's form, which its own documentation describes. */
const response = z.looseObject({}).meta({
  id: 'ProviderResponse',
  description: 'The provider’s answer; server-sent events if the request asks for a stream',
});

/** Returns the options of an endpoint that composes a request and forwards it. */
export const composedEndpoint = (
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
export const forwardedEndpoint = (
  provider: 'anthropic' | 'openai',
  id: string,
  summary: string,
): EndpointOptions => ({
  ...{ id, summary, provider, response },
  roles: WRITERS,
  content: 'none',
});
