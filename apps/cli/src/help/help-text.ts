import { ownMember } from '@app/kernel';
import type { Command } from 'commander';
import { wrapped } from '../output/wrapped.js';
import type { CommandNotes } from './command-notes.js';
import { COMPACTION_NOTES } from './notes-compactions.js';
import { OPERATION_NOTES } from './notes-operation.js';
import { SESSION_NOTES } from './notes-sessions.js';

/** The notes on all commands, by command, such as `keys add`. */
export const COMMAND_NOTES: Readonly<Record<string, CommandNotes>> = {
  ...SESSION_NOTES,
  ...COMPACTION_NOTES,
  ...OPERATION_NOTES,
};

/** Adds the notes on every command below `parent` to its help. */
export const addNotes = (parent: Command, prefix = ''): void => {
  for (const command of parent.commands) {
    const name = `${prefix}${command.name()}`;
    const notes = ownMember(COMMAND_NOTES, name);
    if (notes) command.addHelpText('after', () => notesText(notes));
    addNotes(command, `${name} `);
  }
};

const notesText = ({ details, json, examples, guide }: CommandNotes): string =>
  [
    ...(details === undefined ? [] : [proseText(details)]),
    ...(json === undefined ? [] : [proseText(`JSON: ${json}`)]),
    ...(examples ? [['Examples:', ...examples.map((line) => `  ${line}`)].join('\n')] : []),
    ...(guide === undefined ? [] : [`Guide: docs/guides/${guide}`]),
  ]
    .map((part) => `\n${part}`)
    .join('\n');

/** Returns a text in lines that fit the terminal, without its backticks. */
const proseText = (text: string): string => wrapped(text.replaceAll('`', ''));
