import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isJsonObject, type Json, type JsonObject } from '@app/kernel';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { GoTemplates, isTrue, type TemplateFunction } from './go-template.js';

const CHART = fileURLToPath(new URL('../../../ops/helm/palimpsest/', import.meta.url));

export const chartText = (path: string): string => readFileSync(`${CHART}${path}`, 'utf8');

/** A Kubernetes object of the chart. */
export type Manifest = JsonObject & { readonly apiVersion: string; readonly kind: string };

const merged = (defaults: Json | undefined, given: Json | undefined): Json | undefined => {
  if (!isJsonObject(defaults) || !isJsonObject(given)) return given ?? defaults;
  const names = new Set([...Object.keys(defaults), ...Object.keys(given)]);
  return Object.fromEntries([...names].map((name) => [name, merged(defaults[name], given[name]) ?? null]));
};

/** Returns the chart's values merged with an operator's. */
export const valuesWith = (given: JsonObject): JsonObject => {
  const values = merged(parse(chartText('values.yaml')), given);
  if (!isJsonObject(values)) throw new Error('values are a map');
  return values;
};

const indented = (width: number, text: string): string => text.replaceAll(/^/gm, ' '.repeat(width));
const textOf = (value: unknown): string => (value === undefined || value === null ? '' : String(value));

/** The functions of Go, Sprig and Helm that the chart calls. */
const functions: Readonly<Record<string, TemplateFunction>> = {
  and: (...values: unknown[]) => values.find((value) => !isTrue(value)) ?? values.at(-1),
  or: (...values: unknown[]) => values.find(isTrue) ?? values.at(-1),
  not: (value: unknown) => !isTrue(value),
  eq: (a: unknown, b: unknown) => a === b,
  printf: (format: string, ...values: unknown[]) => format.replaceAll('%s', () => textOf(values.shift())),
  default: (fallback: unknown, value: unknown) => (isTrue(value) ? value : fallback),
  quote: (value: unknown) => JSON.stringify(textOf(value)),
  trunc: (length: number, text: string) => text.slice(0, length),
  trimSuffix: (suffix: string, text: string) =>
    text.endsWith(suffix) ? text.slice(0, -suffix.length) : text,
  replace: (from: string, to: string, text: string) => text.replaceAll(from, to),
  contains: (part: string, text: string) => text.includes(part),
  nindent: (width: number, text: string) => `\n${indented(width, text)}`,
  toYaml: (value: unknown) => stringify(value, { lineWidth: 0 }).trimEnd(),
  sha256sum: (text: string) => createHash('sha256').update(text).digest('hex'),
  dict: (...pairs: unknown[]) =>
    Object.fromEntries(pairs.flatMap((name, at) => (at % 2 === 0 ? [[textOf(name), pairs[at + 1]]] : []))),
  get: (map: Readonly<Record<string, unknown>>, name: string) => map[name],
  deepCopy: (value: unknown) => structuredClone(value),
  merge: (first: Json, second: Json) => merged(second, first),
  required: (message: string, value: unknown) => {
    if (value === undefined || value === null || value === '') throw new Error(message);
    return value;
  },
  fail: (message: string) => {
    throw new Error(message);
  },
};

/**
 * Renders the chart as `helm template release` does, in the namespace `default`.
 * @throws {Error} if the chart's templates reject values; does not check their schema.
 */
export const renderChart = (given: JsonObject, release = 'test'): readonly Manifest[] => {
  const { name: Name, version: Version, appVersion: AppVersion } = parse(chartText('Chart.yaml'));
  const data = {
    Values: valuesWith(given),
    Chart: { Name, Version, AppVersion },
    Release: { Name: release, Namespace: 'default', Service: 'Helm' },
  };
  const include = (template: string, dot: unknown): string => templates.render(template, dot);
  const templates: GoTemplates = new GoTemplates({ ...functions, include });
  const files = readdirSync(`${CHART}templates`).map((file) =>
    templates.add(file, chartText(`templates/${file}`)),
  );
  const texts = files.map((file) => [file, templates.render(file, data)] as const);
  return texts
    .filter(([file]) => file.endsWith('.yaml'))
    .flatMap(([, text]) => parseAllDocuments(text))
    .map((document) => {
      const [error] = 'errors' in document ? document.errors : [];
      if (error) throw error;
      return document.toJS();
    })
    .filter((manifest) => manifest !== null);
};
