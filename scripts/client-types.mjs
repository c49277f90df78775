// Generates the types of the client from the OpenAPI document of the API: `libs/client/src/generated/types.ts`, which every
// build writes and git does not track. The client is published without dependencies, so its types cannot be inferred
// from the schemas themselves.
import { writeGenerated } from './write-generated.mjs';

const FILE = 'libs/client/src/generated/types.ts';
/** Components that the client declares itself, since its functions read them. */
const OWN = { ContentBlock: 'Block' };
/** Length up to which an object without comments stays on one line. */
const OBJECT_MAX = 90;

const HEAD = `// Generated from the OpenAPI document by scripts/client-types.mjs, in every build.
import type { Block } from '../messages/blocks.js';

/** An object that a provider or the caller defines; the API passes it on unchanged. */
export type JsonObject = { readonly [name: string]: unknown };
`;

/** Writes the types of the client for an OpenAPI document; leaves a current file as it is. */
export const writeClientTypes = (document) => writeGenerated(FILE, clientTypes(document));

/** Returns the types of the client: one for each component that its operations refer to, and for each query. */
const clientTypes = (document) => {
  const schemas = document.components.schemas;
  const operations = operationsIn(document);
  const queries = operations.flatMap(queryOf);
  const named = [...reachable(operations, document)]
    .filter((name) => !name.endsWith('Problem') && !(name in OWN) && !isPage(schemas[name]))
    .map((name) => [name, schemas[name]]);
  const types = [...named, ...queries]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, schema]) => declared(name, schema));
  return [HEAD, ...types].join('\n');
};

/** Returns the names of the schemas that values refer to, directly or through others. */
const reachable = (values, { components }) => {
  const found = new Set();
  const seen = new Set();
  const visit = (value) => {
    if (Array.isArray(value)) for (const one of value) visit(one);
    if (!isObject(value)) return;
    const { $ref } = value;
    if (typeof $ref === 'string' && !seen.has($ref)) {
      seen.add($ref);
      const [, , kind, name] = $ref.split('/');
      if (kind === 'schemas') found.add(name);
      visit(components[kind]?.[name]);
    }
    for (const [key, member] of Object.entries(value)) if (!key.startsWith('example')) visit(member);
  };
  for (const value of values) visit(value);
  return found;
};

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Pages are the generic type `Page` of the client. */
const isPage = (schema) => Object.keys(schema?.properties ?? {}).join() === 'items,next';

/** Returns the operations of the API itself, without those of the gateway. */
const operationsIn = ({ paths }) =>
  Object.entries(paths)
    .filter(([path]) => path.startsWith('/v1/'))
    .flatMap(([, path]) => Object.values(path));

/** Returns the query of an operation as an object schema; none without parameters. */
const queryOf = ({ operationId: id, parameters = [] }) => {
  const given = parameters.filter((one) => one.in === 'query');
  if (given.length === 0) return [];
  const properties = Object.fromEntries(
    given.map(({ name, schema, description }) => [
      name,
      { ...schema, ...(description !== undefined && { description }) },
    ]),
  );
  const required = given.flatMap(({ name, required: needed }) => (needed ? [name] : []));
  return [[`${id[0].toUpperCase()}${id.slice(1)}Query`, { type: 'object', properties, required }]];
};

const declared = (name, { description, ...schema } = {}) =>
  `${comment(description)}export type ${name} = ${typeOf(schema)};\n`;

const comment = (text) => {
  if (typeof text !== 'string') return '';
  return `/** ${text.replaceAll('*/', '*\\/')}${/[.!?]$/.test(text) ? '' : '.'} */\n`;
};

const typeOf = (schema = {}) => {
  const { $ref, const: value, enum: values, anyOf, oneOf, allOf, type } = schema;
  if ($ref !== undefined) return nameIn($ref);
  if (value !== undefined) return literal(value);
  if (values !== undefined) return unionOf(values.map(literal));
  const members = anyOf ?? oneOf;
  if (members !== undefined) return unionOf(members.map((member) => typeOf(member)));
  if (allOf !== undefined) return allOf.map((member) => typeOf(member)).join(' & ');
  if (Array.isArray(type)) return unionOf(type.map((one) => typeOf({ ...schema, type: one })));
  switch (type) {
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return `readonly ${wrapped(typeOf(schema.items))}[]`;
    case 'object':
      return objectType(schema);
    case 'string':
      return beginningOf(schema) ?? 'string';
    case 'boolean':
    case 'null':
      return type;
    default:
      return 'unknown';
  }
};

/** Returns the template of a pattern such as `^label:[\s\S]{1,64}$`: a fixed beginning before any text. */
const beginningOf = ({ pattern = '' }) => {
  const [, beginning] = /^\^([\w:]+)\[\\s\\S\]/.exec(pattern) ?? [];
  return beginning === undefined ? undefined : `\`${beginning}\${string}\``;
};

const nameIn = (ref) => {
  const name = ref.slice(ref.lastIndexOf('/') + 1);
  return OWN[name] ?? name;
};

const literal = (value) =>
  typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : JSON.stringify(value);

const unionOf = (members) => [...new Set(members)].join(' | ');
const wrapped = (type) => (/ \| |^readonly /.test(type) ? `(${type})` : type);

const objectType = ({ properties = {}, required = [], additionalProperties = {}, propertyNames }) => {
  const members = Object.entries(properties);
  if (members.length === 0) {
    if (Object.keys(additionalProperties).length === 0) return 'JsonObject';
    const keys = propertyNames?.$ref === undefined ? 'string' : typeOf(propertyNames);
    const record = `Record<${keys}, ${typeOf(additionalProperties)}>`;
    return `Readonly<${keys === 'string' || required.length > 0 ? record : `Partial<${record}>`}>`;
  }
  const lines = members.map(([name, schema]) => {
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`;
    return `${comment(schema.description)}readonly ${key}${required.includes(name) ? '' : '?'}: ${typeOf(schema)};`;
  });
  const line = `{ ${lines.join(' ').replace(/;$/, '')} }`;
  if (line.length <= OBJECT_MAX && !line.includes('\n') && !line.includes('/**')) return line;
  return `{\n${lines.join('\n')}\n}`;
};
