// Generates the schemas of stored events from their types in libs/domain: `codec/generated/event-schemas.ts` of
// libs/adapters/event-store-db, which every build writes and git does not track. A type whose name is a member of
// `VALUES` in `codec/values.ts` has the schema that stands there.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { writeGenerated } from './write-generated.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const CODEC = 'libs/adapters/event-store-db/src/codec';
const FILE = `${CODEC}/generated/event-schemas.ts`;
/** Names of strings and numbers, each of which `VALUES` has. */
const RANGES = '/libs/kernel/src/ranges.ts';
/** Constants of the generated file, each with the type that has the data of its events by type, and its file. */
const EVENTS = [
  ['SESSION_SCHEMAS', 'SessionEventData', 'libs/domain/src/session/events.ts'],
  ['TENANT_SCHEMAS', 'TenantEventData', 'libs/domain/src/tenant/events.ts'],
];

/** Writes the schemas of stored events; leaves a current file as it is. */
export const writeEventSchemas = () => writeGenerated(FILE, eventSchemas());

const eventSchemas = () => {
  const files = [`${CODEC}/values.ts`, ...EVENTS.map(([, , file]) => file)].map((file) => join(root, file));
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => ts.sys.readFile(path));
  const { options } = ts.convertCompilerOptionsFromJson({ ...config.compilerOptions, types: [] }, root);
  const program = ts.createProgram(files, options);
  const writer = new SchemaWriter(program.getTypeChecker(), valuesIn(program.getSourceFile(files[0])));
  const events = EVENTS.map(([name, type], at) =>
    writer.events(name, declared(program.getSourceFile(files[at + 1]), type)),
  );
  return [
    '// Generated from the types of events in libs/domain by scripts/event-schemas.mjs, in every build.',
    "import { z } from 'zod';",
    "import { VALUES } from '../values.js';",
    '',
    ...writer.constants,
    '',
    ...events,
  ].join('\n');
};

/** Returns the declaration of a type by its name. */
const declared = (file, name) => {
  const found = file.statements.find((one) => ts.isTypeAliasDeclaration(one) && one.name.text === name);
  if (!found) throw new Error(`no type ${name} in ${file.fileName}`);
  return found;
};

/** Returns the names of the members of `VALUES`. */
const valuesIn = (file) => {
  const names = new Set();
  const visit = (node) => {
    if (ts.isVariableDeclaration(node) && node.name.text === 'VALUES') {
      for (const { name } of node.initializer.properties) names.add(name.text);
    } else ts.forEachChild(node, visit);
  };
  visit(file);
  return names;
};

const unknown = (name) => new Error(`${CODEC}/values.ts has no schema for ${name}: add it to VALUES`);

/** Writes schemas of types; named types of the domain become constants. */
class SchemaWriter {
  constants = [];
  #names = new Map();

  constructor(checker, values) {
    this.checker = checker;
    this.values = values;
  }

  /** Returns the constant `name` with the schemas of all members of a type. */
  events(name, declaration) {
    const type = this.checker.getTypeAtLocation(declaration.name);
    const members = this.checker
      .getPropertiesOfType(type)
      .map((one) => `  ${one.name}: ${this.#ofMember(one)},\n`);
    return `export const ${name} = {\n${members.join('')}};\n`;
  }

  /** Follows the written type of a member, unless a mapped type has given it another one. */
  #ofMember(symbol) {
    const written = symbol.declarations?.[0]?.type;
    const type = this.checker.getNonNullableType(this.checker.getTypeOfSymbol(symbol));
    const isOwn =
      written && this.checker.getNonNullableType(this.checker.getTypeFromTypeNode(written)) === type;
    return isOwn ? this.#ofNode(written) : this.#ofType(this.checker.getTypeOfSymbol(symbol));
  }

  /** Returns the schema of a written type: names of `VALUES` are types of strings and numbers that the compiler does not keep apart. */
  #ofNode(node) {
    if (ts.isParenthesizedTypeNode(node) || ts.isTypeOperatorNode(node)) return this.#ofNode(node.type);
    if (ts.isArrayTypeNode(node)) return `z.array(${this.#ofNode(node.elementType)})`;
    if (ts.isTypeReferenceNode(node)) return this.#ofReference(node);
    if (ts.isMappedTypeNode(node)) return this.#ofMapped(node);
    const literals = this.#literalsIn(node);
    if (literals.length > 0) return enumOf(literals);
    const type = this.checker.getTypeFromTypeNode(node);
    if (ts.isUnionTypeNode(node) && !isEnum(type) && node.types.every((one) => !ts.isTypeLiteralNode(one)))
      return this.#unionOf(node.types);
    return this.#ofType(type);
  }

  /** Returns the literals of a union, or of the list in `(typeof LIST)[number]`, in their order; none for other types. */
  #literalsIn(node) {
    if (ts.isIndexedAccessTypeNode(node)) {
      const list = this.checker.getTypeFromTypeNode(node.objectType);
      return this.checker.isTupleType(list) ? this.checker.getTypeArguments(list) : [];
    }
    const types = ts.isUnionTypeNode(node)
      ? node.types.map((one) => this.checker.getTypeFromTypeNode(one))
      : [];
    return types.every(isLiteral) ? types : [];
  }

  #ofReference(node) {
    const name = node.typeName.getText();
    if (name === 'Readonly') return this.#ofNode(node.typeArguments[0]);
    const [key, member] = node.typeArguments ?? [];
    // A later version may have another name among those of a list: only an object lets it pass.
    if (name === 'Record' && !isEnum(this.checker.getTypeFromTypeNode(key)))
      return `z.record(${this.#ofNode(key)}, ${this.#ofNode(member)})`;
    if (this.values.has(name)) return `VALUES.${name}`;
    const symbol = this.checker.getSymbolAtLocation(node.typeName);
    const alias = symbol.flags & ts.SymbolFlags.Alias ? this.checker.getAliasedSymbol(symbol) : symbol;
    if (alias.declarations?.some((one) => one.getSourceFile().fileName.endsWith(RANGES))) throw unknown(name);
    return this.#constantOf(alias) ?? this.#ofType(this.checker.getTypeFromTypeNode(node));
  }

  /** Returns the constant of a type of the domain without parameters. */
  #constantOf({ declarations, name }) {
    const declaration = declarations?.find(ts.isTypeAliasDeclaration);
    if (
      !declaration ||
      declaration.typeParameters ||
      !declaration.getSourceFile().fileName.includes('/libs/domain/')
    )
      return undefined;
    if (this.#names.has(declaration)) return this.#names.get(declaration);
    // While its own schema is written it has no constant yet.
    this.#names.set(declaration, undefined);
    const schema = this.#ofNode(declaration.type);
    const constant = this.#nameFor(name);
    this.#names.set(declaration, constant);
    this.constants.push(`const ${constant} = ${schema};`);
    return constant;
  }

  /** Returns the schema of an object with a member for each name in a list. */
  #ofMapped({ typeParameter, type, questionToken }) {
    const names = this.checker.getTypeFromTypeNode(typeParameter.constraint);
    if (!isEnum(names)) return `z.record(z.string(), ${this.#ofNode(type)})`;
    const schema = `${this.#ofNode(type)}${questionToken ? '.optional()' : ''}`;
    return `z.object({ ${names.types.map(({ value }) => `${value}: ${schema}`).join(', ')} })`;
  }

  #nameFor(name) {
    const taken = new Set(this.#names.values());
    const plain = name[0].toLowerCase() + name.slice(1);
    let constant = plain;
    for (let number = 2; taken.has(constant); number += 1) constant = `${plain}${number}`;
    return constant;
  }

  #unionOf(nodes) {
    const isNull = (node) => ts.isLiteralTypeNode(node) && node.literal.kind === ts.SyntaxKind.NullKeyword;
    const schemas = nodes.filter((node) => !isNull(node)).map((node) => this.#ofNode(node));
    const schema = schemas.length === 1 ? schemas[0] : `z.union([${schemas.join(', ')}])`;
    return schemas.length < nodes.length ? `${schema}.nullable()` : schema;
  }

  #ofType(given) {
    const type = this.checker.getNonNullableType(given);
    const schema = this.#ofPresent(type);
    return given.isUnion() && given.types.some((one) => one.flags & ts.TypeFlags.Null)
      ? `${schema}.nullable()`
      : schema;
  }

  #ofPresent(type) {
    if (this.values.has(type.aliasSymbol?.name)) return `VALUES.${type.aliasSymbol.name}`;
    const constant = type.aliasSymbol && this.#constantOf(type.aliasSymbol);
    if (constant) return constant;
    if (isEnum(type)) return enumOf(type.isUnion() ? type.types : [type]);
    if (type.isUnion()) return this.#ofUnion(type);
    if (type.flags & ts.TypeFlags.Boolean || type.flags & ts.TypeFlags.BooleanLike) return 'z.boolean()';
    if (type.flags & ts.TypeFlags.String) return 'z.string()';
    if (type.flags & ts.TypeFlags.Number) return 'VALUES.Whole';
    const brand = this.checker.getPropertiesOfType(type).find(({ name }) => name.startsWith('__@brand'));
    if (brand) return this.#ofBrand(type, this.checker.getTypeOfSymbol(brand).value);
    if (this.checker.isArrayType(type))
      return `z.array(${this.#ofType(this.checker.getTypeArguments(type)[0])})`;
    return this.#ofObject(type);
  }

  /** The constructors of branded strings check more; none of them takes an empty one. */
  #ofBrand(type, name) {
    if (this.values.has(name)) return `VALUES.${name}`;
    if (type.types.some((one) => one.flags & ts.TypeFlags.String)) return 'VALUES.NonEmpty';
    throw unknown(name);
  }

  #ofUnion(type) {
    if (type.types.every((one) => one.flags & ts.TypeFlags.BooleanLiteral)) return 'z.boolean()';
    const schemas = type.types.map((one) => this.#ofPresent(one)).join(', ');
    const discriminator = this.checker
      .getPropertiesOfType(type)
      .find((one) => type.types.every((member) => isOneLiteral(this.checker, member, one.name)));
    return discriminator
      ? `z.discriminatedUnion('${discriminator.name}', [${schemas}])`
      : `z.union([${schemas}])`;
  }

  #ofObject(type) {
    const members = this.checker.getPropertiesOfType(type);
    const index = this.checker.getIndexInfosOfType(type).at(0);
    if (index && members.length === 0) return `z.record(z.string(), ${this.#ofType(index.type)})`;
    if (index || members.length === 0) throw new Error(`no schema for ${this.checker.typeToString(type)}`);
    const schemas = members.map((one) => {
      const isOptional = one.flags & ts.SymbolFlags.Optional;
      return `${one.name}: ${this.#ofMember(one)}${isOptional ? '.optional()' : ''}`;
    });
    return `z.object({ ${schemas.join(', ')} })`;
  }
}

const isLiteral = ({ flags }) => (flags & (ts.TypeFlags.StringLiteral | ts.TypeFlags.NumberLiteral)) !== 0;
const isTrue = (type) => (type.flags & ts.TypeFlags.BooleanLiteral) !== 0;
/** Whether a type is one literal or several. */
const isEnum = (type) => isTrue(type) || (type.isUnion() ? type.types.every(isLiteral) : isLiteral(type));
const enumOf = (types) => {
  const values = types.map((one) => (isTrue(one) ? one.intrinsicName : JSON.stringify(one.value)));
  return `z.literal([${values.join(', ')}])`;
};
const isOneLiteral = (checker, type, name) => {
  const member = checker.getPropertyOfType(type, name);
  return member !== undefined && isLiteral(checker.getTypeOfSymbol(member));
};
