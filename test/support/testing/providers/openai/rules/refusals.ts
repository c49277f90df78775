import type { JsonObject } from '@app/kernel';
import { isBlank, numberOr, objectOf, objectsIn, textOr } from '../../values/wire-values.js';
import { invalid, type Refusal } from '../failures/refusal.js';
import type { OpenAiModel } from '../models.js';

/** Faults in the provider's order; only the first one is reported. */
export type Refusals = Generator<Refusal, void, undefined>;

const NAME_MAX = 64;
const TOOLS_MAX = 128;

export function* unknownParameters(where: string, value: JsonObject, known: readonly string[]): Refusals {
  for (const name of Object.keys(value)) {
    const path = where === '' ? name : `${where}.${name}`;
    if (!known.includes(name)) yield invalid(`Unknown parameter: '${path}'.`, path, 'unknown_parameter');
  }
}

export function* emptyList(where: string, value: JsonObject[string]): Refusals {
  if (Array.isArray(value) && value.length === 0)
    yield invalid(
      `Invalid '${where}': empty array. Expected an array with minimum length 1, but got an empty array instead.`,
      where,
      'empty_array',
    );
}

export function* nameRefusals(where: string, name: JsonObject[string]): Refusals {
  if (isBlank(name))
    yield invalid(`Missing required parameter: '${where}'.`, where, 'missing_required_parameter');
  const given = textOr(name, '');
  if (given.length > NAME_MAX) yield tooLong(where, given, NAME_MAX);
  if (!/^[a-zA-Z0-9_-]+$/.test(given))
    yield invalid(
      `Invalid '${where}': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`,
      where,
      'invalid_value',
    );
}

export const tooLong = (where: string, given: string, max: number): Refusal =>
  invalid(
    `Invalid '${where}': string too long. Expected a string with maximum length ${max}, but got a string with length ${given.length} instead.`,
    where,
    'string_above_max_length',
  );

/**
 * Tools of both APIs: chat wraps a function in a member of that name.
 *
 * @param toolless values of `tool_choice` that need no tools.
 */
export function* toolRefusals(
  { tools, tool_choice: choice }: JsonObject,
  functionOf: (tool: JsonObject) => JsonObject,
  toolless: readonly string[],
): Refusals {
  const list = objectsIn(tools);
  if (list.length > TOOLS_MAX)
    yield invalid(
      `Invalid 'tools': array too long. Expected an array with maximum length ${TOOLS_MAX}.`,
      'tools',
    );
  for (const [at, tool] of list.entries()) {
    if (tool.type !== 'function') continue;
    const { name, parameters } = functionOf(tool);
    yield* nameRefusals(`tools[${at}].name`, name);
    if (parameters != null && objectOf(parameters).type !== 'object')
      yield invalid(
        `Invalid schema for function '${textOr(name, '')}': schema must be a JSON Schema of 'type: "object"'.`,
        `tools[${at}].parameters`,
        'invalid_function_parameters',
      );
  }
  if (choice != null && !toolless.includes(String(choice)) && list.length === 0)
    yield invalid(
      "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified.",
      'tool_choice',
    );
}

/** Reasoning models accept only default sampling. */
export function* samplingRefusals(body: JsonObject, { reasons }: OpenAiModel): Refusals {
  if (!reasons) return;
  for (const name of ['temperature', 'top_p'])
    if (numberOr(body[name], 1) !== 1)
      yield invalid(
        `Unsupported value: '${name}' does not support ${body[name]} with this model. Only the default (1) value is supported.`,
        name,
        'unsupported_value',
      );
}
