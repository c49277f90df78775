import { z } from 'zod';
import type { EndpointOptions } from '../http/endpoint.js';
import { WRITERS } from '../sessions/roles.js';
import { gatewayHeaders } from './headers.js';

/** What goes in and out is the provider's: its own documentation says what it looks like. */
const response = z.looseObject({}).meta({
  id: 'ProviderResponse',
  description: 'The provider’s answer; server-sent events if the request asks for a stream',
});

/** What the endpoints of the gateway have in common. */
export const passedOn = (speaks: 'anthropic' | 'openai', id: string, summary: string): EndpointOptions => ({
  ...asked(speaks, id, summary),
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

/** The same of those that take no body. */
export const asked = (speaks: 'anthropic' | 'openai', id: string, summary: string): EndpointOptions => ({
  ...{ id, summary, speaks, response },
  roles: WRITERS,
  content: 'none',
});
