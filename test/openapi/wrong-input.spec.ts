import { isJsonObject, type Json, type JsonObject } from '@app/kernel';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PUBLIC_CONTROLLERS, ROUTE_CONTROLLERS } from '../../apps/api/src/api.module.js';
import { openApiOf } from '../../apps/api/src/openapi/document.js';
import { endpointsIn, readExamples } from '../../apps/api/src/openapi/endpoints.js';
import { ApiServer } from '../api/support/api-server.js';

type Operation = {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly JsonObject[];
  readonly body: JsonObject | undefined;
};
type Fault = { readonly at: string; readonly problem: string };

/** Bodies that are not in a form of this API: their writers may add members of their own. */
const FOREIGN: Readonly<Record<string, string>> = {
  recallHistory: 'a model writes the input of the call',
  reportEdits: 'a provider writes the answer',
};
/** The part of bodies of this API that has the form of others: a provider's message has members that are not kept. */
const FOREIGN_PART = '#/components/schemas/Message';

const EXAMPLES = readExamples();
const DOCUMENT: JsonObject = JSON.parse(
  JSON.stringify(openApiOf(endpointsIn([...PUBLIC_CONTROLLERS, ...ROUTE_CONTROLLERS]), EXAMPLES)),
);
const WRONG: readonly Json[] = [null, true, -1.5, 'of no kind', [], {}, [{}]];
const WRONG_TEXTS = ['of no kind', '', '-1', '1.5', '9'.repeat(30), 'x'.repeat(5_000)];
/** Names in paths that have a form of their own. */
const NAMES: Readonly<Record<string, string>> = {
  webhook: 'wh_AAAAAAAAAAAA',
  key: 'nobodys00000',
  erasure: 'era_AAAAAAAAAAAAAAAA',
  name: 'sessions',
};

const resolved = (schema: unknown): JsonObject => {
  const { $ref } = Object(schema);
  if (typeof $ref !== 'string') return Object(schema);
  return resolved(
    $ref
      .slice(2)
      .split('/')
      .reduce((at: JsonObject, name) => Object(at[name]), DOCUMENT),
  );
};
const OPERATIONS: readonly Operation[] = Object.entries(Object(DOCUMENT.paths)).flatMap(([path, methods]) =>
  Object.entries(Object(methods)).map(([method, operation]) => {
    const { operationId: id, parameters = [], requestBody } = Object(operation);
    const { schema } = Object(Object(Object(requestBody).content)['application/json']);
    const { format } = Object(schema);
    return {
      ...{ id, method: method.toUpperCase(), path, parameters: parameters.map(resolved) },
      // A gateway's body is in a provider's form.
      body: schema === undefined || format === 'binary' ? undefined : resolved(schema),
    };
  }),
);
const WITH_BODIES = OPERATIONS.filter(({ body }) => body !== undefined);
const WITH_QUERIES = OPERATIONS.filter(({ parameters }) =>
  parameters.some(({ in: place }) => place === 'query'),
);

/** Returns the places of objects in a schema that allow unknown members. */
const openPlaces = (schema: unknown, place = 'body'): readonly string[] => {
  if (Object(schema).$ref === FOREIGN_PART) return [];
  const { properties, additionalProperties, items, anyOf = [], oneOf = [], allOf = [] } = resolved(schema);
  return [
    ...(properties !== undefined && additionalProperties !== false ? [place] : []),
    ...Object.entries(Object(properties)).flatMap(([name, member]) => openPlaces(member, `${place}.${name}`)),
    ...(isJsonObject(additionalProperties) ? openPlaces(additionalProperties, `${place}.*`) : []),
    ...(items === undefined ? [] : openPlaces(items, `${place}[]`)),
    ...[anyOf, oneOf, allOf].flat().flatMap((one) => openPlaces(one, place)),
  ];
};

/** Yields the value with `wrong` in the place of each of its parts, and of the whole; objects also with a further member. */
function* variantsOf(value: Json, wrong: Json): Generator<Json> {
  yield wrong;
  if (Array.isArray(value)) {
    for (const [at, one] of value.entries())
      for (const variant of variantsOf(one, wrong)) yield value.with(at, variant);
  } else if (isJsonObject(value)) {
    yield { ...value, 'of no kind': wrong };
    for (const [name, one] of Object.entries(value))
      for (const variant of variantsOf(one ?? null, wrong)) yield { ...value, [name]: variant };
  }
}

describe('wrong input', () => {
  let api: ApiServer;
  beforeAll(async () => {
    api = await ApiServer.start({ PALIMPSEST_WEBHOOK_ALLOW_PRIVATE: 'true' });
  });
  afterAll(() => api.stop());

  /** Returns the faults that the answer names, or what it says as a whole; none of an accepted request. */
  const faultsOf = async (
    { method, path }: Operation,
    query: string,
    body?: Json,
  ): Promise<readonly Fault[]> => {
    const url = `${api.url}${path.replace(/\{(\w+)\}/g, (_, name: string) => NAMES[name] ?? 'none')}${query}`;
    const response = await fetch(url, {
      method,
      headers: { ...api.authorization, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (response.ok) {
      await response.body?.cancel();
      return [];
    }
    const { faults, detail } = Object(await response.json());
    return faults ?? [{ at: `${response.status}`, problem: `give ${detail}` }];
  };
  /** Each says what is valid, and none is a text of zod's. */
  const WELL_SAID =
    /^(?:missing: )?give |(?:: |, )(?:give|pass) |^unknown field "|^\d+ more unknown fields?$/;
  const badlySaid = (faults: readonly Fault[]): readonly Fault[] =>
    faults.filter(({ problem }) => !WELL_SAID.test(problem) || /\bInvalid |\bExpected /.test(problem));

  const exampleOf = ({ id }: Operation): Json => JSON.parse(JSON.stringify(EXAMPLES[id]?.request ?? {}));
  const unlessForeign = WITH_BODIES.filter(({ id }) => !Object.hasOwn(FOREIGN, id));

  it('may have unknown members in the bodies that others define alone', () => {
    const open = WITH_BODIES.filter(({ body }) => resolved(body).additionalProperties !== false);
    expect(open.map(({ id }) => id).sort()).toEqual(Object.keys(FOREIGN).sort());
    const nested = unlessForeign.flatMap(({ id, body }) => openPlaces(body).map((place) => `${id} ${place}`));
    expect(nested).toEqual([]);
  });

  it.each(unlessForeign.map((operation) => [operation.id, operation] as const))(
    'is refused with the unknown member in a body of %s',
    async (_, operation) => {
      const body = { ...Object(exampleOf(operation)), unknown: 1 };
      expect(await faultsOf(operation, '', body)).toContainEqual({
        at: 'unknown',
        problem: expect.stringMatching(/^unknown field "unknown"/),
      });
    },
  );

  it.each(WITH_BODIES.map((operation) => [operation.id, operation] as const))(
    'is answered with the valid values for each part of a body of %s',
    async (_, operation) => {
      const example = exampleOf(operation);
      const absent = Object.keys(Object(operation.body?.properties)).filter(
        (name) => !(name in Object(example)),
      );
      const bad = new Map<string, string>();
      for (const wrong of WRONG) {
        const bodies = [
          ...variantsOf(example, wrong),
          ...absent.map((name) => ({ ...Object(example), [name]: wrong })),
        ];
        for (const body of bodies)
          for (const { at, problem } of badlySaid(await faultsOf(operation, '', body))) bad.set(problem, at);
      }
      expect([...bad]).toEqual([]);
    },
  );

  it.each(WITH_QUERIES.map((operation) => [operation.id, operation] as const))(
    'is answered with the valid values for each parameter of %s',
    async (_, operation) => {
      const bad = new Map<string, string>();
      for (const { in: place, name } of operation.parameters)
        for (const value of place === 'query' ? WRONG_TEXTS : [])
          for (const { at, problem } of badlySaid(
            await faultsOf(operation, `?${name}=${encodeURIComponent(value)}`),
          ))
            bad.set(problem, at);
      expect([...bad]).toEqual([]);
    },
  );
});
