// Generates the types and operations of the Python client from the OpenAPI document of the API.
// `WRITE_PYTHON_CLIENT=1 npm test -- python-client` writes them; the same spec fails where they are outdated.

const NOTE = '# Generated from the OpenAPI document by scripts/python-client.mjs. Do not edit.\n';
const KEYWORDS = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from ' +
    'global if import in is lambda nonlocal not or pass raise return try while with yield'
  ).split(' '),
);
/** Operations of the protocols for agents, and one that the thin layer has. */
const isLeftOut = ({ operationId, tags: [tag] }) =>
  tag === 'gateway' || tag === 'mcp' || operationId === 'streamEvents';
/** Operations that may wait for a compaction or read a long transcript. */
const PATIENT = new Set([
  'appendAndCompose',
  'composeRequest',
  'requestCompaction',
  'awaitOutcome',
  'reportOverflow',
  'appendMessages',
  'completeTurn',
  'importTranscript',
]);

const snake = (name) =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toLowerCase();
const pascal = (name) =>
  name.replace(/(^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, __, first) => first.toUpperCase());
const identifier = (name) => (KEYWORDS.has(snake(name)) ? `${snake(name)}_` : snake(name));
const quoted = (text) => JSON.stringify(text);
const refName = (ref) => ref.slice(ref.lastIndexOf('/') + 1);
const literal = (value) =>
  value === null ? 'None' : typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value);
/** Text of a docstring: one line, without characters that would end it. */
const doc = (text) =>
  `"""${text.replace(/\s+/g, ' ').replaceAll('\\', '\\\\').replaceAll('"', "'").trim()}"""`;

/** Writes types as expressions; objects that have no name of their own get one. */
class Types {
  lines = [];
  names = new Set();

  constructor(schemas) {
    for (const name of Object.keys(schemas)) this.names.add(name);
    for (const [name, schema] of Object.entries(schemas)) this.define(name, schema);
  }

  define(name, schema) {
    if (schema.type === 'object' && schema.properties) this.defineObject(name, schema);
    else this.lines.push(`${name} = ${this.expression(schema, name, (ref) => quoted(ref))}`, '');
  }

  defineObject(name, { properties, required = [], description }) {
    const members = Object.entries(properties).map(([member, schema]) => [
      member,
      this.expression(schema, `${name}${pascal(member)}`, (ref) => ref),
    ]);
    const dict = (title, chosen, total) => [
      `${title} = TypedDict(`,
      `    ${quoted(title)},`,
      '    {',
      ...chosen.map(([member, type]) => `        ${quoted(member)}: ${quoted(type.replaceAll('"', "'"))},`),
      '    },',
      ...(total ? [] : ['    total=False,']),
      ')',
      '',
    ];
    const isRequired = ([member]) => required.includes(member);
    const [must, may] = [members.filter(isRequired), members.filter((one) => !isRequired(one))];
    if (must.length === 0 || may.length === 0) {
      this.lines.push(...dict(name, members, may.length === 0), '');
      return;
    }
    this.lines.push(...dict(`_${name}Required`, must, true), ...dict(`_${name}Optional`, may, false));
    const about = description ? doc(description) : 'pass';
    this.lines.push('', `class ${name}(_${name}Required, _${name}Optional):`, `    ${about}`, '', '');
  }

  /** @param refer writes the name of a type. */
  expression(schema, name, refer) {
    if (schema === true || schema === undefined) return 'Any';
    if (schema.$ref) return refer(refName(schema.$ref));
    if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`;
    if (schema.enum) return `Literal[${schema.enum.map(literal).join(', ')}]`;
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices) {
      const all = choices.map((one, at) => this.expression(one, `${name}${at + 1}`, refer));
      return all.length === 1 ? all[0] : `Union[${[...new Set(all)].join(', ')}]`;
    }
    if (schema.allOf) {
      const [only, ...more] = schema.allOf.filter((one) => one.$ref || one.type || one.anyOf);
      return only && more.length === 0 ? this.expression(only, name, refer) : 'Dict[str, Any]';
    }
    if (Array.isArray(schema.type)) {
      const all = schema.type.map((type) => this.expression({ ...schema, type }, name, refer));
      return `Union[${all.join(', ')}]`;
    }
    return this.plain(schema, name, refer);
  }

  plain(schema, name, refer) {
    switch (schema.type) {
      case 'string':
        return schema.format === 'binary' ? 'bytes' : 'str';
      case 'integer':
        return 'int';
      case 'number':
        return 'float';
      case 'boolean':
        return 'bool';
      case 'null':
        return 'None';
      case 'array':
        return `List[${this.expression(schema.items, `${name}Item`, refer)}]`;
      case 'object': {
        if (!schema.properties)
          return `Dict[str, ${this.expression(schema.additionalProperties || true, `${name}Value`, refer)}]`;
        let own = name;
        while (this.names.has(own)) own = `${own}_`;
        this.names.add(own);
        this.defineObject(own, schema);
        return refer(own);
      }
      default:
        return 'Any';
    }
  }
}

const IMPORTS = 'from typing import Any, Dict, List, Literal, TypedDict, Union\n';

/** Returns the parameters of an operation by place; those of every operation are left to the thin layer. */
const parametersOf = (document, operation) =>
  (operation.parameters ?? []).map((one) =>
    one.$ref ? document.components.parameters[refName(one.$ref)] : one,
  );

const responseOf = (document, types, operation) => {
  const [, response] = Object.entries(operation.responses).find(([status]) => status.startsWith('2'));
  const [[media, { schema }] = ['', {}]] = Object.entries(response.content ?? {});
  const name = pascal(operation.operationId);
  const type = schema ? types.expression(schema, `${name}Answer`, (ref) => `t.${ref}`) : 'None';
  return { media, type, schema: schema?.$ref ? document.components.schemas[refName(schema.$ref)] : schema };
};

const methodOf = (document, types, method, path, operation) => {
  const { operationId: id, summary } = operation;
  const parameters = parametersOf(document, operation);
  const inPath = parameters.filter((one) => one.in === 'path').map(({ name }) => name);
  const inQuery = parameters.filter(
    (one) => one.in === 'query' && !(id === 'exportAudit' && one.name === 'format'),
  );
  const isWrite = parameters.some(({ name }) => name === 'Idempotency-Key');
  const isSessionWrite = parameters.some(({ name }) => name === 'If-Match');
  const { media, type, schema } = responseOf(document, types, operation);
  const body = operation.requestBody;
  const bodyMedia = Object.keys(body?.content ?? {})[0];
  const isStreamed = bodyMedia !== undefined && bodyMedia !== 'application/json';
  const bodyType = isStreamed
    ? 'Body'
    : body && types.expression(body.content[bodyMedia].schema, `${pascal(id)}Body`, (ref) => `t.${ref}`);
  const bodySchema = body && !isStreamed ? body.content[bodyMedia].schema : undefined;
  const bodyFields = bodySchema?.$ref ? document.components.schemas[refName(bodySchema.$ref)] : bodySchema;
  const isBodyRequired = body?.required || isStreamed || (bodyFields?.required ?? []).length > 0;
  const signature = [
    'self',
    ...inPath.map((name) => `${identifier(name)}: str`),
    ...(body ? [isBodyRequired ? `body: ${bodyType}` : `body: Optional[${bodyType}] = None`] : []),
    '*',
    ...inQuery
      .map(({ name, required, schema: given }) => {
        const own = types.expression(given, `${pascal(id)}${pascal(name)}`, (ref) => `t.${ref}`);
        return required ? `${identifier(name)}: ${own}` : `${identifier(name)}: Optional[${own}] = None`;
      })
      .sort((a, b) => Number(a.includes(' = None')) - Number(b.includes(' = None'))),
    ...(isWrite ? ['idempotency_key: Optional[str] = None'] : []),
    ...(isSessionWrite ? ['if_match: Optional[int] = None'] : []),
    'timeout: Optional[float] = None',
  ];
  const route = `[${path
    .slice(1)
    .split('/')
    .map((part) => (part.startsWith('{') ? identifier(part.slice(1, -1)) : quoted(part)))
    .join(', ')}]`;
  const isLines = media === 'application/x-ndjson';
  const isText = media.startsWith('text/') && !isLines;
  const answer = isLines ? `Iterator[${id === 'exportAudit' ? 't.AuditRow' : type}]` : isText ? 'str' : type;
  const call = isLines ? '_lines' : isText ? '_text' : '_json';
  const options = [
    ...(body && !isStreamed ? [isBodyRequired ? 'body=body' : 'body={} if body is None else body'] : []),
    ...(isStreamed ? ['data=body'] : []),
    ...(inQuery.length > 0
      ? [`query={${inQuery.map(({ name }) => `${quoted(name)}: ${identifier(name)}`).join(', ')}}`]
      : []),
    ...(isWrite ? ['idempotency_key=idempotency_key'] : []),
    ...(isSessionWrite ? ['if_match=if_match'] : []),
    PATIENT.has(id) ? 'timeout=timeout if timeout is not None else PATIENT_SECONDS' : 'timeout=timeout',
  ];
  const named = `${snake(id)}`;
  const lines = [
    `    def ${named}(`,
    ...signature.map((one) => `        ${one},`),
    `    ) -> ${answer}:`,
    `        ${doc(summary)}`,
    `        answer: ${answer} = self.${call}(`,
    `            ${quoted(method.toUpperCase())},`,
    `            ${route},`,
    ...options.map((one) => `            ${one},`),
    '        )',
    '        return answer',
    '',
  ];
  const isPaged =
    inQuery.some(({ name }) => name === 'cursor') && schema?.properties?.items && schema.properties.next;
  if (!isPaged) return lines;
  const item = types.expression(schema.properties.items.items, `${pascal(id)}Item`, (ref) => `t.${ref}`);
  const withoutCursor = signature.filter((one) => !one.startsWith('cursor:'));
  const passed = [
    ...inPath.map(identifier),
    ...inQuery
      .filter(({ name }) => name !== 'cursor')
      .map(({ name }) => `${identifier(name)}=${identifier(name)}`),
    'timeout=timeout',
  ];
  return [
    ...lines,
    `    def iter_${named.replace(/^list_/, '')}(`,
    ...withoutCursor.map((one) => `        ${one},`),
    `    ) -> Iterator[${item}]:`,
    `        ${doc(`Iterates over all pages. ${summary}`)}`,
    '        cursor: Optional[str] = None',
    '        while True:',
    `            page = self.${named}(${[...passed, 'cursor=cursor'].join(', ')})`,
    '            yield from page["items"]',
    '            cursor = page["next"]',
    '            if cursor is None:',
    '                return',
    '',
  ];
};

/** Returns the schemas that the kept operations use, directly or by others. */
const usedSchemas = (document, operations) => {
  const used = new Set();
  const visit = (value) => {
    if (typeof value !== 'object' || value === null) return;
    if (typeof value.$ref === 'string') {
      const [, section, name] = /^#\/components\/(\w+)\/(.+)$/.exec(value.$ref) ?? [];
      const target = document.components[section]?.[name];
      if (section === 'schemas' && used.has(name)) return;
      if (section === 'schemas') used.add(name);
      visit(target);
    }
    for (const member of Object.values(value)) visit(member);
  };
  for (const { parameters, requestBody, responses } of operations) {
    visit(parameters);
    visit(requestBody);
    for (const [status, response] of Object.entries(responses)) if (status.startsWith('2')) visit(response);
  }
  return Object.fromEntries(Object.entries(document.components.schemas).filter(([name]) => used.has(name)));
};

/** Returns the generated files by their name in the package. @param codes the error codes of the product. */
export const pythonFiles = (document, codes) => {
  const kept = Object.values(document.paths)
    .flatMap((operations) => Object.values(operations))
    .filter((operation) => !isLeftOut(operation));
  const types = new Types(usedSchemas(document, kept));
  const methods = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, operation]) => !isLeftOut(operation))
      .flatMap(([method, operation]) => methodOf(document, types, method, path, operation)),
  );
  const operations = [
    `${NOTE}"""Every operation of the API as a method."""`,
    'from __future__ import annotations',
    '',
    'from typing import Any, Dict, Iterator, List, Literal, Optional, Union',
    '',
    'from . import types as t',
    'from ._calls import PATIENT_SECONDS, Body, Calls',
    '',
    '',
    'class Operations(Calls):',
    '    """The operations of the API; their IDs in snake case are the names."""',
    '',
    ...methods,
  ];
  return {
    'types.py': `${NOTE}"""Requests and answers of the API, as dictionaries."""\n${IMPORTS}\n${types.lines.join('\n').trimEnd()}\n`,
    'operations.py': `${operations.join('\n').trimEnd()}\n`,
    'codes.py': [
      `${NOTE}"""Stable error codes. A later version of the service may send others."""`,
      'from typing import Literal',
      '',
      'ErrorCode = Literal[',
      ...[...codes].sort().map((code) => `    ${quoted(code)},`),
      ']',
      '',
    ].join('\n'),
  };
};
