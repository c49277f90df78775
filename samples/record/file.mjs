/**
 * The transcript as a document of Anthropic's messages, with each tool and each message on a line of its own, so
 * that two recordings can be compared line by line.
 *
 * @param {{ conversation: string, model: string, system: string, tools: object[], messages: object[] }} transcript
 */
export const fileText = ({ conversation, model, system, tools, messages }) =>
  [
    '{',
    `"conversation": ${JSON.stringify(conversation)},`,
    `"model": ${JSON.stringify(model)},`,
    `"system": ${JSON.stringify(system)},`,
    `"tools": [\n${tools.map(line).join(',\n')}\n],`,
    `"messages": [\n${messages.map(line).join(',\n')}\n]`,
    '}',
    '',
  ].join('\n');

/** One line of JSON; invisible characters are written as escapes. */
const line = (value) =>
  JSON.stringify(value).replace(INVISIBLE, (it) => `\\u${it.charCodeAt(0).toString(16).padStart(4, '0')}`);
const INVISIBLE = /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
