import {
  commandIn,
  filesOfCall,
  type Message,
  pairToolCalls,
  pathIn,
  resultText,
  type ToolResultBlock,
  type ToolUseBlock,
  toolCallsOf,
  toolResultsOf,
  withoutForeign,
} from '@app/domain';
import { canonicalJson, type Json, type JsonObject } from '@app/kernel';
import type { SummaryRequest } from '@app/ports';
import { oneLine } from '../text/one-line.js';
import { failureOf } from './failure.js';

/** A tool call and its result. */
export type Call = {
  readonly at: number;
  readonly name: string;
  readonly input: JsonObject;
  /** The shell command, if it ran one. */
  readonly command: string | undefined;
  /** Tool and target in one line. */
  readonly what: string;
  /** The file, the command or the tool, in a few words. */
  readonly about: string;
  /** Equal for calls that try the same thing. */
  readonly target: string;
  readonly outcome: 'ok' | 'failed' | 'unanswered';
  /** The error in one line. */
  readonly error: string | undefined;
  /** Empty if outputs are not summarized. */
  readonly output: string;
  /** The message of the result. */
  readonly resultId: string | undefined;
};

const COMMAND_MAX = 200;
const ABOUT_MAX = 60;
/** Path segments that identify a file from any folder. */
const SEGMENTS = 3;

/** All calls of `messages` in their order. */
export const callsOf = (
  messages: readonly Message[],
  toolOutputs: SummaryRequest['toolOutputs'],
): readonly Call[] =>
  pairToolCalls(messages).calls.flatMap(({ call, result }) => {
    const block = blockAtShare(messages, call, toolCallsOf);
    if (!block) return [];
    const { name, input } = block;
    const path = pathIn(input);
    const command = commandIn(input);
    const answer = result && blockAtShare(messages, result, toolResultsOf);
    const error = answer && failureOf(answer, { name, command });
    return [
      {
        at: call.message,
        name: oneLine(name, 80),
        input,
        command,
        what: described(name, input, command),
        about: aboutOf(name, path === undefined ? command : lastSegments(path)),
        target: command ?? `${verbOf(block)} ${path ?? fileOf(block, answer) ?? canonicalJson(input)}`,
        outcome: !answer ? 'unanswered' : error === undefined ? 'ok' : 'failed',
        error,
        output: answer && toolOutputs === 'summarized' ? outputOf(answer) : '',
        resultId: result && messages[result.message]?.id,
      } satisfies Call,
    ];
  });

/** The folder of a command is less informative than the command. */
const CHANGES_FOLDER = /^cd \S+ && /;

/** Whole words only: half a path would be another one. */
const aboutOf = (name: string, what: string | undefined): string => {
  const whole = oneLine(what ?? '', COMMAND_MAX).replace(CHANGES_FOLDER, '');
  const end = whole.length <= ABOUT_MAX ? whole.length : whole.lastIndexOf(' ', ABOUT_MAX);
  return end > 0 ? whole.slice(0, end) : oneLine(name, ABOUT_MAX);
};

/** Includes the verb of a tool with several: viewing a file does not change it. */
const verbOf = ({ name, input }: ToolUseBlock): string =>
  typeof input.command === 'string' ? `${name} ${input.command}` : name;

/** The first file that a call changes or reads: of a patch, or the one that is open. */
const fileOf = (call: ToolUseBlock, answer: ToolResultBlock | undefined): string | undefined => {
  const { modified, read } = filesOfCall(call, answer);
  return modified[0] ?? read[0];
};

const lastSegments = (path: string): string => path.split('/').filter(Boolean).slice(-SEGMENTS).join('/');

const blockAtShare = <Found>(
  messages: readonly Message[],
  place: { readonly message: number; readonly block: number },
  of: (message: Message) => readonly Found[],
): Found | undefined => {
  const message = messages[place.message];
  return message && of(message)[place.block];
};

const described = (name: string, input: JsonObject, command: string | undefined): string => {
  const tool = oneLine(name, 80);
  if (command !== undefined) return `${tool}: \`${oneLine(command, COMMAND_MAX)}\``;
  const values = Object.values(input).flatMap((value) => shortText(value));
  return values.length === 0 ? tool : `${tool}: ${values.slice(0, 3).join(', ')}`;
};
const shortText = (value: Json | undefined): readonly string[] =>
  typeof value === 'string' && value.length <= COMMAND_MAX && value.trim() !== ''
    ? [oneLine(value, COMMAND_MAX)]
    : [];

/** Lines of a harness about the execution of a command, before its output. */
const ABOUT_RUN =
  /^(?:(?:Chunk ID|Wall time|Process exited with code|Exit code|Original token count|Total output lines|Output):?[^\n]{0,80}\n)+/;

/** Returns the text of a result without harness reminders; media are named. */
const outputOf = (block: ToolResultBlock): string => {
  const media = Array.isArray(block.content) ? block.content.filter(({ type }) => type !== 'text') : [];
  const text = resultText(block).replace(ABOUT_RUN, '');
  const shown = text.includes('<system-reminder>') ? withoutForeign(text).own : text;
  return [shown, ...media.map(({ type }) => `[${oneLine(String(type), 40)}]`)].filter(Boolean).join('\n');
};
