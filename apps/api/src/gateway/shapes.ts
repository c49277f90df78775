import { z } from 'zod';
import type { EndpointOptions } from '../http/endpoint.js';
import { TALKERS } from '../sessions/roles.js';

/** What goes in and out is the provider's: its own documentation says what it looks like. */
const response = z
  .looseObject({})
  .describe('The provider’s answer; server-sent events where the request asks for a stream');

/** What the endpoints of the gateway have in common. */
export const passedOn = (speaks: 'anthropic' | 'openai', summary: string): EndpointOptions => ({
  ...asked(speaks, summary),
  content: 'request',
  consumes: ['application/json'],
});

/** The same of those that take no body. */
export const asked = (speaks: 'anthropic' | 'openai', summary: string): EndpointOptions => ({
  ...{ summary, speaks, response },
  roles: TALKERS,
  content: 'none',
});
