import { type JsonObject, ownMember } from '@app/kernel';
import type { z } from 'zod';
import { CONTENT_READ, type ContentOfAnswer, REASON_HEADER, REASON_MAX } from '../http/content/content.js';
import { type EndpointFacts, type EndpointOptions, isSessionWrite, isWrite } from '../http/endpoint.js';
import { tagOf } from './about.js';
import { type Components, headerRefs } from './components.js';
import type { Example } from './endpoints.js';
import { problemResponses } from './problem-responses.js';

/** Returns the operation object of an endpoint. */
export const operationOf = (
  endpoint: EndpointFacts,
  components: Components,
  example: Example = {},
): JsonObject => {
  const { id, summary, path, roles, content, operatorOnly } = endpoint;
  return {
    operationId: id,
    tags: [tagOf(path)],
    summary,
    description: descriptionOf(endpoint),
    security: securityOf(endpoint),
    ...(roles !== 'public' && { 'x-roles': [...roles] }),
    ...(operatorOnly && { 'x-operator-tenant': true }),
    ...(content !== 'none' && {
      'x-content': typeof content === 'string' ? content : { in: [...content.in] },
    }),
    parameters: parametersOf(endpoint, components),
    ...requestBodyOf(endpoint, components, example),
    responses: {
      ...successesOf(endpoint, components, example),
      ...problemResponses(endpoint, components),
    },
  };
};

const descriptionOf = (endpoint: EndpointOptions): string => {
  const { roles, operatorOnly, content } = endpoint;
  if (roles === 'public') return 'Needs no API key.';
  const who = `Roles: ${roles.map((role) => `\`${role}\``).join(', ')}.`;
  return [
    ...[who, ...(operatorOnly ? ['Only for keys of the operator’s tenant.'] : [])],
    ...(content === 'none' ? [] : [contentDescription(content)]),
  ].join(' ');
};

const contentDescription = (content: Exclude<ContentOfAnswer, 'none'>): string => {
  if (content === 'text') return `Requires the permission \`${CONTENT_READ}\`; each read is recorded.`;
  if (content === 'request')
    return `Requires the permission \`${CONTENT_READ}\`; the event \`RequestComposed\` records the caller.`;
  if (content === 'streamed')
    return `Keys without the permission \`${CONTENT_READ}\` receive no text; each read of text is recorded.`;
  const members = content.in.map((path) => `\`${path}\``).join(', ');
  return `Keys without the permission \`${CONTENT_READ}\` receive no ${members}: \`withheld\` names the missing members. Each read of text is recorded.`;
};

const securityOf = ({ roles, provider }: EndpointOptions): JsonObject[] => {
  if (roles === 'public') return [];
  return provider ? [{ gatewayKey: [] }, { providerKey: [] }, { apiKey: [] }] : [{ apiKey: [] }];
};

const parametersOf = (endpoint: EndpointFacts, components: Components): JsonObject[] => [
  ...[...endpoint.path.matchAll(/:(\w+)|\*/g)].map(([, name = 'tile']) => pathParameter(name, components)),
  ...parametersIn('query', endpoint.query, components),
  ...parametersIn('header', endpoint.headers, components),
  ...headersOfRequest(endpoint).map((name) =>
    components.refer('parameters', name.replace(/\W/g, ''), () => ({
      name,
      in: 'header',
      ...ownMember(REQUEST_HEADERS, name),
    })),
  ),
];

const pathParameter = (name: string, components: Components): JsonObject =>
  components.refer('parameters', `${name[0]?.toUpperCase()}${name.slice(1)}`, () => ({
    name,
    in: 'path',
    required: true,
    description: ownMember(PATH_PARAMETERS, name) ?? '',
    schema: { type: 'string' },
  }));

const PATH_PARAMETERS: Readonly<Record<string, string>> = {
  session: 'ID of the session: letters, digits and `_.:-`, at most 128 characters',
  compaction: 'ID of the compaction',
  message: 'ID of the message',
  pin: 'ID of the pin',
  profile: 'Name of the profile',
  model: 'Name or alias of the model',
  webhook: 'ID of the webhook',
  delivery: 'ID of the delivery: the position of its event in the log',
  key: 'ID of the API key, not the key itself',
  name: 'Name of the secret or projection',
  prompt: 'Name of the prompt',
  code: 'Code of a problem',
  tile: 'Level and index of a tile as tlog-tiles writes them, such as `0/000` or `entries/000.p/17`',
};

const parametersIn = (
  place: 'query' | 'header',
  shape: z.ZodObject | undefined,
  components: Components,
): JsonObject[] => {
  if (!shape) return [];
  const { properties, required } = components.schema(shape, 'input');
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  return Object.entries(properties ?? {}).map(([name, given]) => {
    const { description, ...schema } = Object(given);
    return {
      name,
      in: place,
      required: needed.includes(name),
      ...(description !== undefined && { description }),
      schema,
    };
  });
};

const headersOfRequest = (endpoint: EndpointFacts): readonly string[] => [
  ...(isWrite(endpoint) ? ['Idempotency-Key'] : []),
  ...(isSessionWrite(endpoint) ? ['If-Match'] : []),
  ...(endpoint.isRevisioned ? ['If-None-Match'] : []),
  ...(endpoint.content === 'none' || endpoint.content === 'request' ? [] : [REASON_HEADER]),
];

const REQUEST_HEADERS: Readonly<Record<string, JsonObject>> = {
  'Idempotency-Key': {
    description: 'Requests with the same key are executed once and receive the same answer for 24 hours',
    schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
  },
  'If-Match': {
    description: 'Revision that the session must have, in quotes; 412 otherwise',
    schema: { type: 'string' },
  },
  'If-None-Match': {
    description: 'Known revision, in quotes; 304 if the session still has it',
    schema: { type: 'string' },
  },
  [REASON_HEADER]: {
    description: `Reason for reading text, for the audit: percent-encoded, at most ${REASON_MAX} characters`,
    schema: { type: 'string' },
  },
};

const requestBodyOf = (
  { id, body, consumes }: EndpointFacts,
  components: Components,
  { request }: Example,
): JsonObject => {
  if (consumes) {
    const schema = { type: 'string', format: 'binary' };
    return {
      requestBody: {
        required: true,
        content: Object.fromEntries(consumes.map((type) => [type, { schema }])),
      },
    };
  }
  if (!body) return {};
  const schema = components.named(`${capital(id)}Request`, body, 'input');
  const media = { schema, ...(request !== undefined && { example: request }) };
  return { requestBody: { required: !body.safeParse({}).success, content: { 'application/json': media } } };
};

const successesOf = (endpoint: EndpointFacts, components: Components, { answer }: Example): JsonObject => {
  const { id, status = 200, alsoStatus, produces = 'application/json', response, isRevisioned } = endpoint;
  const schema = components.named(`${capital(id)}Response`, response, 'output');
  const media = { schema, ...(answer !== undefined && { example: answer }) };
  const found = {
    headers: headerRefs(components, headersOfAnswer(endpoint)),
    content: Object.fromEntries([produces].flat().map((type) => [type, media])),
  };
  const statuses = alsoStatus === undefined ? [status] : [status, alsoStatus];
  return {
    ...Object.fromEntries(statuses.map((one) => [one, { description: DESCRIPTIONS[one] ?? '', ...found }])),
    ...(isRevisioned && {
      304: {
        description: 'The session still has the known revision.',
        headers: headerRefs(components, ['ETag']),
      },
    }),
  };
};

const DESCRIPTIONS: Readonly<Record<number, string>> = {
  200: 'The operation succeeded.',
  201: 'The resource was created.',
  202: 'The request was accepted; the work continues.',
  503: 'The service is not ready; the body has the same shape.',
};

const headersOfAnswer = (endpoint: EndpointFacts): readonly string[] => [
  'X-Request-Id',
  ...(endpoint.isRevisioned || isSessionWrite(endpoint) ? ['ETag'] : []),
  ...(isWrite(endpoint) ? ['Idempotency-Replayed'] : []),
  ...(endpoint.alsoStatus === 202 ? ['Location'] : []),
  ...(endpoint.alsoStatus === 503 ? ['Retry-After'] : []),
  ...(endpoint.roles === 'public' ? [] : ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']),
];

const capital = (id: string): string => `${id[0]?.toUpperCase()}${id.slice(1)}`;
