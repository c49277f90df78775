import { numberKey, readNumber } from '../../log/keys.js';
import type { Engine, Put } from '../../storage/engine.js';
import { decodeDefinition, encodeDefinition, type GroupDefinition, groupKey } from './group-definition.js';

/*
 * Table `groups`: `d` and the group's key → its definition; `c` and the group's key → its checkpoint, the first
 * unfinished place. A group without finished events has no checkpoint.
 */
const DEFINITION = 'd';
const CHECKPOINT = 'c';
/** Sorts after all keys that begin with `d`. */
const AFTER_DEFINITIONS = Buffer.from('e');
const GROUPS_MAX = 100_000;

type StoredGroup = { readonly definition: GroupDefinition; readonly checkpoint: number | undefined };

export const loadGroups = (engine: Engine): StoredGroup[] =>
  engine
    .scan('groups', { from: Buffer.from(DEFINITION), until: AFTER_DEFINITIONS, limit: GROUPS_MAX })
    .map(({ value }) => {
      const definition = decodeDefinition(value);
      const checkpoint = engine.get('groups', keyOf(CHECKPOINT, definition));
      return { definition, checkpoint: checkpoint && readNumber(checkpoint) };
    });

export const putDefinition = (definition: GroupDefinition): Put => ({
  table: 'groups',
  key: keyOf(DEFINITION, definition),
  value: encodeDefinition(definition),
});

/** Returns the entries of a new group, without the checkpoint of an earlier one of the same name. */
export const putNew = (definition: GroupDefinition): Put[] => [
  putDefinition(definition),
  { table: 'groups', key: keyOf(CHECKPOINT, definition) },
];

export const putCheckpoint = (definition: GroupDefinition, checkpoint: number): Put => ({
  table: 'groups',
  key: keyOf(CHECKPOINT, definition),
  value: numberKey(checkpoint),
});

export const removeGroup = (definition: GroupDefinition): Put[] => [
  { table: 'groups', key: keyOf(DEFINITION, definition) },
  { table: 'groups', key: keyOf(CHECKPOINT, definition) },
];

const keyOf = (kind: string, { source, group }: GroupDefinition): Buffer =>
  Buffer.from(kind + groupKey(source, group));
