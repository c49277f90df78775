import { isJsonObject, type JsonObject, parseJson } from '@app/kernel';
import { InvalidArgumentError } from 'commander';
import { textOrFile } from './text-of.js';

/** Reads tools: a JSON array, or with `@` a file that holds one. */
export const tools = (given: string): readonly JsonObject[] => {
  const value = parseJson(textOrFile(given));
  if (Array.isArray(value) && value.every(isJsonObject)) return value;
  throw new InvalidArgumentError('give a JSON array with one object for each tool');
};
