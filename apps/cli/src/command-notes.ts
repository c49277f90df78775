import type { Command } from 'commander';
import { wrapped } from './output/wrapped.js';

/** Reference text of a command beyond its description, arguments and options. */
export type CommandNotes = {
  /** Behaviour that the description leaves out. */
  readonly details?: string;
  /** Result with `--json`. */
  readonly json?: string;
  /** Command lines that work literally, or after replacing the words in capitals. */
  readonly examples?: readonly string[];
  /** Page in `docs/guides` without the folder, optionally with the anchor of a section. */
  readonly guide?: string;
};

const NOTES = new WeakMap<Command, CommandNotes>();

/** Adds notes to the help of a command, and to its section of the command-line page. */
export const withNotes = <Noted extends Command>(command: Noted, notes: CommandNotes): Noted => {
  NOTES.set(command, notes);
  command.addHelpText('after', () => notesText(notes));
  return command;
};

/** Returns the notes on a command. */
export const notesOf = (command: Command): CommandNotes | undefined => NOTES.get(command);

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
