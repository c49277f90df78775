import { isJsonObject, type JsonObject, parseJson } from '@app/kernel';
import { InvalidArgumentError } from 'commander';
import { textOrFile } from './text-of.js';

/** Parses tools: a JSON array, or after `@` a file with one. */
export const tools = (given: string): readonly JsonObject[] => {
  const value = parseJson(textOrFile(given));
  if (Array.isArray(value) && value.every(isJsonObject)) return value;
  throw new InvalidArgumentError('give a JSON array with one object for each tool');
};
