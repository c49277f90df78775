import { ownMember } from '@app/kernel';
import type { Command } from 'commander';
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
    if (notes) command.addHelpText('after', () => notesText(notes, process.stdout.columns ?? WIDTH));
    addNotes(command, `${name} `);
  }
};

/** Default columns. */
const WIDTH = 80;

const notesText = ({ details, json, examples, guide }: CommandNotes, width: number): string =>
  [
    ...(details === undefined ? [] : [wrapped(details, width)]),
    ...(json === undefined ? [] : [wrapped(`JSON: ${json}`, width)]),
    ...(examples ? [['Examples:', ...examples.map((line) => `  ${line}`)].join('\n')] : []),
    ...(guide === undefined ? [] : [`Guide: docs/guides/${guide}`]),
  ]
    .map((part) => `\n${part}`)
    .join('\n');

/** Breaks a text into lines of at most `width` characters, without its backticks. */
const wrapped = (text: string, width: number): string => {
  const lines: string[] = [];
  for (const word of text.replaceAll('`', '').split(' ')) {
    const line = lines.at(-1);
    if (line === undefined || line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines.join('\n');
};
