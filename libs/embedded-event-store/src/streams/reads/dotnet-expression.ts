import { RE2JS } from 're2js';
import { invalidArgument } from '../../wire/grpc-failure.js';

/** Classes that cover Unicode in .NET, but only ASCII in RE2; as written inside brackets. */
const WORD = String.raw`\p{L}\p{Mn}\p{Nd}\p{Pc}`;
const SPACE = String.raw`\f\n\r\t\v\x{85}\p{Z}`;
/**
 * By the letter after the backslash, inside and outside of brackets. A bracketed class cannot contain a complement.
 */
const CLASSES: ReadonlyMap<string, { readonly inside?: string; readonly outside: string }> = new Map([
  ['w', { inside: WORD, outside: `[${WORD}]` }],
  ['W', { outside: `[^${WORD}]` }],
  ['s', { inside: SPACE, outside: `[${SPACE}]` }],
  ['S', { outside: `[^${SPACE}]` }],
  ['d', { inside: String.raw`\p{Nd}`, outside: String.raw`\p{Nd}` }],
  ['D', { inside: String.raw`\P{Nd}`, outside: String.raw`\P{Nd}` }],
  // The end, or before a final line break.
  ['Z', { outside: String.raw`(?:\n?\z)` }],
]);
/** Letters whose escape means the same in both. */
const SHARED = /^[AzbBpPxtnrfva0-9]$/;

/**
 * Compiles a .NET regular expression, as EventStoreDB's filters use them, to RE2, which matches in linear time.
 * @returns a function that tells whether a text contains a match.
 * @throws {GrpcFailure} INVALID_ARGUMENT for a syntax error, and for syntax that linear time excludes:
 * backreferences, lookaround, atomic groups, class subtraction.
 */
export const compileExpression = (regex: string): ((text: string) => boolean) => {
  try {
    const compiled = RE2JS.compile(translated(regex));
    return (text) => compiled.test(text);
  } catch (fault) {
    const reason = fault instanceof Error ? fault.message : String(fault);
    throw invalidArgument(
      `the regular expression of the filter is not supported (${reason}): remove backreferences, ` +
        'lookaround, atomic groups and class subtraction',
    );
  }
};

const translated = (regex: string): string => {
  let text = '';
  let isInside = false;
  for (let at = 0; at < regex.length; at += 1) {
    const next = regex.charAt(at);
    if (next === '\\') {
      const replaced = escapeAt(regex, at, isInside);
      text += replaced.text;
      at += replaced.length - 1;
    } else if (isInside && next === '[') {
      if (regex.charAt(at - 1) === '-') throw new SyntaxError('class subtraction');
      text += String.raw`\[`;
    } else if (!isInside && next === '[') {
      const opening = /^\[\^?\]?/.exec(regex.slice(at))?.[0] ?? next;
      text += opening;
      at += opening.length - 1;
      isInside = true;
    } else {
      if (next === ']') isInside = false;
      text += next;
    }
  }
  return text;
};

const escapeAt = (regex: string, at: number, isInside: boolean): { text: string; length: number } => {
  const letter = regex.charAt(at + 1);
  const code = /^u([0-9a-fA-F]{4})/.exec(regex.slice(at + 1, at + 6))?.[1];
  if (code !== undefined) return { text: `\\x{${code}}`, length: 6 };
  const found = CLASSES.get(letter);
  const text = isInside ? found?.inside : found?.outside;
  if (text !== undefined) return { text, length: 2 };
  if (found || (/\w/.test(letter) && !SHARED.test(letter)))
    throw new SyntaxError(`\\${letter}${isInside ? ' in brackets' : ''}`);
  return { text: `\\${letter}`, length: 2 };
};
