import type { JsonObject } from '@app/kernel';

/** The `info` object of the OpenAPI document. */
export const ABOUT: JsonObject = {
  title: 'Palimpsest API',
  version: '1',
  summary: 'Event-sourced context compaction for LLM agents.',
  description: `Palimpsest keeps the complete history of each agent session and composes provider requests that fit the model's window. It compacts older history into summaries, and every compaction can be explained and reverted.

## Quick start

1. \`POST /v1/sessions\` opens a session for a model.
2. \`POST /v1/sessions/{session}/messages\` appends the user's message.
3. \`POST /v1/sessions/{session}/compose\` returns the request body for the provider.
4. \`POST /v1/sessions/{session}/messages\` appends the provider's answer with its usage.

A compaction starts automatically when the session's profile requires it, or with \`POST /v1/sessions/{session}/compactions\`.

## Authentication

Send an API key as \`Authorization: Bearer KEY\`. Each key belongs to one tenant and has a role; each operation names the roles that may call it. Text written by people and models additionally requires the permission \`content:read\`. With the header \`X-Palimpsest-Content: none\`, a request is answered as for a key without it.

## Errors

Errors are [problem details](https://www.rfc-editor.org/rfc/rfc9457) with a stable \`code\`. Each operation lists its codes by status, and \`/errors/CODE\` explains each code. Operations of the gateway return errors in the provider's form.

## Idempotency and concurrency

Writes accept an \`Idempotency-Key\`. Answers about a session carry its revision as \`ETag\`; writes accept it as \`If-Match\`, reads as \`If-None-Match\`.

## Lists

Lists return \`items\` and \`next\`. Pass \`next\` as \`cursor\` to read the next page; it is \`null\` on the last page.

## Token counts

*Counted* tokens come from the service's tokenizer. *Billed* tokens come from the provider's usage, or are calibrated by it.`,
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  contact: { name: 'Palimpsest' },
};

export const SERVERS: JsonObject[] = [{ url: '/', description: 'The service that serves this document' }];

/** Tags in the order of the document, with the first segments of the routes that belong to them. */
const TAGS = [
  [
    'sessions',
    'Sessions, their messages, requests, settings and pins; import and export.',
    'sessions imports profiles',
  ],
  [
    'compactions',
    'Compactions: request, plan, explain, cancel, revert and search.',
    'compactions plan what-if revert',
  ],
  [
    'audit',
    'Audit rows, recorded reads, usage and costs; proofs and the transparency log.',
    'audit usage log proof witness',
  ],
  ['events', 'The event stream and its description.', 'stream asyncapi.json'],
  ['webhooks', 'Webhooks and their deliveries.', 'webhooks'],
  ['models', 'Limits and prices of models.', 'models'],
  ['summarizers', 'Summarizers, prompts and the secrets that they use.', 'summarizers prompts secrets'],
  ['retention', 'Retention periods and legal holds.', 'retention holds'],
  ['erasures', 'Erasure of content, and its ledger.', 'erasures erasure-policy'],
  ['tenants', 'Tenants, API keys and rate limits.', 'tenants keys whoami sign-in sign-out limits'],
  ['gateway', 'Provider APIs with compacted contexts.', 'gateway'],
  ['mcp', 'Model Context Protocol: recall and search for agents.', 'mcp'],
  ['operations', 'Health, metrics, read models and error pages.', 'projections health metrics errors'],
] as const;

export const TAG_OBJECTS: JsonObject[] = TAGS.map(([name, description]) => ({ name, description }));

const TAG_OF: ReadonlyMap<string, string> = new Map(
  TAGS.flatMap(([tag, , segments]) => segments.split(' ').map((segment) => [segment, tag] as const)),
);

/** Returns the tag of a route; a session's subresource with a tag of its own has that one. */
export const tagOf = (path: string): string => {
  const segments = path.replace(/^v1\//, '').split('/');
  const part = segments[0] === 'sessions' && segments[2] !== undefined ? TAG_OF.get(segments[2]) : undefined;
  return (part === 'compactions' || part === 'retention' ? part : TAG_OF.get(segments[0] ?? '')) ?? '';
};

export const SECURITY_SCHEMES: JsonObject = {
  apiKey: { type: 'http', scheme: 'bearer', description: 'An API key of a tenant.' },
  gatewayKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Palimpsest-Key',
    description: 'An API key of a tenant, beside the provider’s own key.',
  },
  providerKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Api-Key',
    description: 'An API key of a tenant, in place of the provider’s key.',
  },
};
