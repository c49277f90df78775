import { resultText, type ToolResultBlock } from '@app/domain';
import { bounded, cleanLines } from '../text/lines.js';

const READ_MAX = 64 * 1024;
const ERROR_LINE_MAX = 240;
/** Lines of a result, from either end, in which a shell tells how a command ended. */
const STATUS_LINES = 4;

const EXIT_STATUS = /\bexit(?:ed)?(?: with)?(?: code| status)?[ :=]{1,3}([1-9]\d{0,4})\b/i;
const NAMES_AN_ERROR =
  /\b(?:[A-Z][A-Za-z]{0,60}(?:Error|Exception)|[Ee]rror|ERROR|[Ff]atal|FATAL|[Pp]anic|FAIL(?:ED|URE)?|[Ff]ailed|Traceback|Segmentation fault|[Nn]ot found|No such file|[Pp]ermission denied|E(?:NOENT|ACCES|EXIST|PERM|INVAL|ADDRINUSE|CONNREFUSED|TIMEDOUT))\b/;
/** How the line of a command's output begins that says by itself that it went wrong. */
const BEGINS_AS_ERROR =
  /^(?:\S{1,80}: )?(?:[A-Z][A-Za-z]{0,60}(?:Error|Exception)|error|Error|ERROR|fatal|FATAL|panic|FAIL|Traceback)(?:\[\w{1,10}\])?(?::|\b \()/;

/**
 * What went wrong, in a line, where a tool result tells of a failure: flagged as one, a command that ended with
 * another status than 0, or one whose output begins a line as errors do. `undefined` for any other.
 */
export const failureOf = (result: ToolResultBlock, isCommand: boolean): string | undefined => {
  const lines = bounded(resultText(result), READ_MAX).flatMap((part) => [
    ...cleanLines(part, ERROR_LINE_MAX),
  ]);
  const ends = [...lines.slice(0, STATUS_LINES), ...lines.slice(-STATUS_LINES)];
  const status = isCommand ? ends.find((line) => EXIT_STATUS.test(line)) : undefined;
  if (result.is_error === true || status !== undefined) {
    const telling =
      lines.find((line) => BEGINS_AS_ERROR.test(line)) ?? lines.find((line) => NAMES_AN_ERROR.test(line));
    return telling ?? status ?? lines[0] ?? 'no message';
  }
  return isCommand ? lines.find((line) => BEGINS_AS_ERROR.test(line)) : undefined;
};
