import { isRefused, resultText, simpleCommandsOf, type ToolResultBlock } from '@app/domain';
import { bounded, cleanLines } from '../text/lines.js';

const READ_MAX = 64 * 1024;
const ERROR_LINE_MAX = 240;
/** Lines at either end of a result that may contain the exit status. */
const STATUS_LINES = 4;

/** Exit status as a line of a harness. */
const STATUS_LINE =
  /^[<[(]?(?:process |command |the command |shellId: \S{1,40} )?(?:(?:exited|completed|finished) with )?exit(?:ed)?(?: with)?(?: code| status)?[ :=]{1,3}(\d{1,5})\b/i;
const EXIT_STATUS = /\bexit(?:ed)?(?: with)?(?: code| status)?[ :=]{1,3}([1-9]\d{0,4})\b/i;
const NAMES_AN_ERROR =
  /\b(?:[A-Z][A-Za-z]{0,60}(?:Error|Exception)|[Ee]rror|ERROR|[Ff]atal|FATAL|[Pp]anic|FAIL(?:ED|URE)?|[Ff]ailed|Traceback|Segmentation fault|[Nn]ot found|No such file|[Pp]ermission denied|E(?:NOENT|ACCES|EXIST|PERM|INVAL|ADDRINUSE|CONNREFUSED|TIMEDOUT))\b/;
/** First words of output lines that are errors. */
const BEGINS_AS_ERROR =
  /^(?:\S{1,80}: )?(?:[A-Z][A-Za-z]{0,60}(?:Error|Exception)|error|Error|ERROR|fatal|FATAL|panic|FAIL|Traceback)(?:\[\w{1,10}\])?(?::|\b \()/;
/** Last lines of failed shells and builds. */
const ENDS_AS_ERROR =
  /^(?:\S{0,40}\/)?(?:(?:ba|z|da|k)?sh: .{0,200}(?:not found|No such file or directory|[Pp]ermission denied|[Ii]s a directory)|g?make(?:\[\d+\])?: \*\*\* |(?:cat|ls|cd|cp|mv|sed|head|tail|find|grep): .{1,200}(?:No such file or directory|[Pp]ermission denied))/;

/** Commands whose output is the content of files or searches. */
const SHOWS =
  /^(?:cd|pwd|echo|printf|true|cat|bat|head|tail|nl|less|more|sed|awk|e?grep|fgrep|rg|ag|find|fd|ls|tree|wc|sort|uniq|cut|jq|stat|file|which|env|printenv|gh|git (?:log|show|diff|blame|grep|status|branch|tag|ls-files|rev-parse))$/;
/** Tools that do, by their names. */
const SHOWING_TOOL = /read|view|open|cat|show|fetch|search|grep|glob|list/i;
/** Where several commands run, the last may hide how another one ended. */
const HIDES_STATUS = /[|;]/;

/** The command, or the tool of this name. */
type Called = { readonly name: string; readonly command: string | undefined };

/**
 * Returns the error of a failed result in one line: flagged as an error, with an exit status other than 0, or
 * beginning or ending like an error. The content of files and searches is ignored, and so is output with status 0.
 * `undefined` otherwise.
 */
export const failureOf = (result: ToolResultBlock, { name, command }: Called): string | undefined => {
  const lines = bounded(resultText(result), READ_MAX).flatMap((part) => [
    ...cleanLines(part, ERROR_LINE_MAX),
  ]);
  const ends = [...lines.slice(0, STATUS_LINES), ...lines.slice(-STATUS_LINES)];
  const statusLine = command === undefined ? undefined : ends.find((line) => STATUS_LINE.test(line));
  const hasStatusLine = statusLine !== undefined;
  const isZero = hasStatusLine && Number(STATUS_LINE.exec(statusLine)?.[1]) === 0;
  const status = hasStatusLine ? (isZero ? undefined : statusLine) : statusIn(ends, command);
  if (result.is_error === true || status !== undefined) {
    const at = lines.findIndex((line) => BEGINS_AS_ERROR.test(line));
    return (
      withNext(lines, at < 0 ? lines.findIndex((line) => NAMES_AN_ERROR.test(line)) : at) ??
      status ??
      lines[0] ??
      'no message'
    );
  }
  if (command === undefined) return SHOWING_TOOL.test(name) ? undefined : refusalIn(result, lines);
  if (isZero && !HIDES_STATUS.test(command)) return undefined;
  const ended = lines.slice(-STATUS_LINES).find((line) => ENDS_AS_ERROR.test(line));
  return showsOnly(command) ? ended : (lines.find((line) => BEGINS_AS_ERROR.test(line)) ?? ended);
};

/** Searches anywhere in a line, unless the output is the content of a file or a search. */
const statusIn = (ends: readonly string[], command: string | undefined): string | undefined =>
  command === undefined || showsOnly(command) ? undefined : ends.find((line) => EXIT_STATUS.test(line));

const showsOnly = (command: string): boolean =>
  simpleCommandsOf(command).every(({ words: [program = '', first = ''], writesTo }) => {
    const shown = program === 'git' ? `git ${first}` : program;
    return SHOWS.test(shown) && writesTo.length === 0;
  });

const refusalIn = (result: ToolResultBlock, lines: readonly string[]): string | undefined =>
  isRefused(result)
    ? (withNext(
        lines,
        lines.findIndex((line) => NAMES_AN_ERROR.test(line)),
      ) ?? lines[0])
    : undefined;

/** An announcing word has no meaning without the next line. */
const ANNOUNCES = /^\S{1,20}:$/;
const withNext = (lines: readonly string[], at: number): string | undefined => {
  const line = lines[at];
  const next = lines[at + 1];
  return line !== undefined && next !== undefined && ANNOUNCES.test(line) ? `${line} ${next}` : line;
};
