import { execFileSync } from 'node:child_process';
import { isJsonObject, type Json, type JsonObject } from '@app/kernel';
import { place } from './project.js';

/** Components that the client declares itself, since its functions read them. */
const OWN: Readonly<Record<string, string>> = { ContentBlock: 'Block' };
/** Length up to which an object without comments stays on one line. */
const OBJECT_MAX = 90;

const HEAD = `// Generated from the OpenAPI document: \`npm run client-types\`.
import type { Block } from './messages/blocks.js';

/** An object that a provider or the caller defines; the API passes it on unchanged. */
export type JsonObject = { readonly [name: string]: unknown };
`;

/** Returns the types of the client: one for each component that its operations refer to, and for each query. */
export const clientTypes = (document: JsonObject): string => {
  const schemas = membersOf(membersOf(document.components).schemas);
  const operations = operationsIn(document);
  const queries = operations.flatMap(([id, operation]) => queryOf(id, operation));
  const named = [
    ...reachable(
      operations.map(([, operation]) => operation ?? null),
      document,
    ),
  ]
    .filter((name) => !name.endsWith('Problem') && !(name in OWN) && !isPage(schemas[name]))
    .map((name): Named => [name, schemas[name]]);
  const types = [...named, ...queries].sort(byName).map(([name, schema]) => declared(name, schema));
  return formatted([HEAD, ...types].join('\n'));
};

const formatted = (text: string): string =>
  execFileSync(place('node_modules/.bin/biome'), ['format', '--stdin-file-path=libs/client/src/types.ts'], {
    input: text,
    cwd: place('.'),
    encoding: 'utf8',
  });

/** Returns the names of the schemas that values refer to, directly or through others. */
const reachable = (values: readonly Json[], { components }: JsonObject): ReadonlySet<string> => {
  const found = new Set<string>();
  const seen = new Set<string>();
  const visit = (value: Json): void => {
    if (Array.isArray(value)) for (const one of value) visit(one);
    if (!isJsonObject(value)) return;
    const { $ref } = value;
    if (typeof $ref === 'string' && !seen.has($ref)) {
      seen.add($ref);
      const [, , kind = '', name = ''] = $ref.split('/');
      if (kind === 'schemas') found.add(name);
      visit(membersOf(membersOf(components)[kind])[name] ?? null);
    }
    for (const [key, member] of Object.entries(value)) if (!key.startsWith('example')) visit(member ?? null);
  };
  for (const value of values) visit(value);
  return found;
};

type Named = readonly [name: string, schema: Json | undefined];
const byName = ([one]: Named, [other]: Named): number => (one < other ? -1 : 1);

const membersOf = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {});

/** Pages are the generic type `Page` of the client. */
const isPage = (schema: Json | undefined): boolean =>
  Object.keys(membersOf(membersOf(schema).properties)).join() === 'items,next';

/** Returns the operations of the API itself, without those of the gateway. */
const operationsIn = ({ paths }: JsonObject): Named[] =>
  Object.entries(membersOf(paths))
    .filter(([path]) => path.startsWith('/v1/'))
    .flatMap(([, path]) =>
      Object.values(membersOf(path)).map(
        (operation): Named => [String(membersOf(operation).operationId), operation],
      ),
    );

/** Returns the query of an operation as an object schema; none without parameters. */
const queryOf = (id: string, operation: Json | undefined): Named[] => {
  const { parameters } = membersOf(operation);
  const given = (Array.isArray(parameters) ? parameters : [])
    .map((one: Json) => membersOf(one))
    .filter((one) => one.in === 'query');
  if (given.length === 0) return [];
  const properties = Object.fromEntries(
    given.map(({ name, schema, description }) => [
      String(name),
      { ...membersOf(schema), ...(description !== undefined && { description }) },
    ]),
  );
  const required = given.flatMap(({ name, required: needed }) => (needed ? [String(name)] : []));
  return [[`${id[0]?.toUpperCase()}${id.slice(1)}Query`, { type: 'object', properties, required }]];
};

const declared = (name: string, given: Json | undefined): string => {
  const { description, ...schema } = membersOf(given);
  return `${comment(description)}export type ${name} = ${typeOf(schema)};\n`;
};

const comment = (text: Json | undefined): string => {
  if (typeof text !== 'string') return '';
  return `/** ${text.replaceAll('*/', '*\\/')}${/[.!?]$/.test(text) ? '' : '.'} */\n`;
};

const typeOf = (given: Json | undefined): string => {
  const schema = membersOf(given);
  const { $ref, const: value, enum: values, anyOf, oneOf, allOf, type } = schema;
  if (typeof $ref === 'string') return nameIn($ref);
  if (value !== undefined) return literal(value);
  if (Array.isArray(values)) return unionOf(values.map(literal));
  const members = anyOf ?? oneOf;
  if (Array.isArray(members)) return unionOf(members.map((member: Json) => typeOf(member)));
  if (Array.isArray(allOf)) return allOf.map((member: Json) => typeOf(member)).join(' & ');
  if (Array.isArray(type)) return unionOf(type.map((one: Json) => typeOf({ ...schema, type: one })));
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
const beginningOf = ({ pattern }: JsonObject): string | undefined => {
  const [, beginning] = (typeof pattern === 'string' && /^\^([\w:]+)\[\\s\\S\]/.exec(pattern)) || [];
  return beginning === undefined ? undefined : `\`${beginning}\${string}\``;
};

const nameIn = (ref: string): string => {
  const name = ref.slice(ref.lastIndexOf('/') + 1);
  return OWN[name] ?? name;
};

const literal = (value: Json): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : JSON.stringify(value);

const unionOf = (members: readonly string[]): string => [...new Set(members)].join(' | ');
const wrapped = (type: string): string => (/ \| |^readonly /.test(type) ? `(${type})` : type);

const objectType = ({ properties, required, additionalProperties, propertyNames }: JsonObject): string => {
  const members = Object.entries(membersOf(properties));
  const needed: readonly Json[] = Array.isArray(required) ? required : [];
  if (members.length === 0) {
    const keys = typeof membersOf(propertyNames).$ref === 'string' ? typeOf(propertyNames) : 'string';
    const isOpen = Object.keys(membersOf(additionalProperties)).length === 0;
    const record = `Record<${keys}, ${typeOf(additionalProperties)}>`;
    if (isOpen) return 'JsonObject';
    return `Readonly<${keys === 'string' || needed.length > 0 ? record : `Partial<${record}>`}>`;
  }
  const lines = members.map(([name, schema]) => {
    const { description } = membersOf(schema);
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`;
    return `${comment(description)}readonly ${key}${needed.includes(name) ? '' : '?'}: ${typeOf(schema)};`;
  });
  const line = `{ ${lines.join(' ').replace(/;$/, '')} }`;
  if (line.length <= OBJECT_MAX && !line.includes('\n') && !line.includes('/**')) return line;
  return `{\n${lines.join('\n')}\n}`;
};
