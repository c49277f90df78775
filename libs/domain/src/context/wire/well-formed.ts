import { isJsonObject, isWellFormed, type Json, type JsonObject, toWellFormed } from '@app/kernel';
import { type Block, blockFrom, isReasoning, type Message } from '../../message/index.js';
import type { Manifest } from '../manifest.js';

/**
 * The manifest with the replacement character for every lone surrogate: providers refuse a body that holds one. Tool
 * outputs do, where something has cut them in the middle of a character. Reasoning is never altered: a block that
 * holds one stays out.
 */
export const wellFormed = (manifest: Manifest): Manifest => ({
  ...manifest,
  system: manifest.system.map(toWellFormed),
  tools: manifest.tools.map(object),
  contributions: manifest.contributions.map(toWellFormed),
  pinned: manifest.pinned === undefined ? undefined : toWellFormed(manifest.pinned),
  record: manifest.record === undefined ? undefined : toWellFormed(manifest.record),
  messages: manifest.messages.map(message),
});

const message = (whole: Message): Message => {
  if (whole.blocks.every(isClean)) return whole;
  return { ...whole, blocks: whole.blocks.flatMap(block) };
};

const block = (given: Block): Block[] => {
  if (isClean(given)) return [given];
  if (isReasoning(given)) return [];
  return [blockFrom(object(given)) ?? given];
};

const isClean = (value: Json | undefined): boolean => {
  if (typeof value === 'string') return isWellFormed(value);
  if (Array.isArray(value)) return value.every((item: Json) => isClean(item));
  if (!isJsonObject(value)) return true;
  return Object.entries(value).every(([name, member]) => isWellFormed(name) && isClean(member));
};

const clean = (value: Json): Json => {
  if (typeof value === 'string') return toWellFormed(value);
  if (Array.isArray(value)) return value.map((item: Json) => clean(item));
  return isJsonObject(value) ? object(value) : value;
};
const object = (value: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      toWellFormed(name),
      member === undefined ? member : clean(member),
    ]),
  );
