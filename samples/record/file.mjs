/**
 * The transcript as a document of Anthropic's messages, with each tool and each message on a line of its own, so
 * that two recordings can be compared line by line.
 *
 * @param {{ model: string, system: string, tools: object[], messages: object[] }} transcript
 */
export const fileText = ({ model, system, tools, messages }) =>
  [
    '{',
    `"model": ${JSON.stringify(model)},`,
    `"system": ${JSON.stringify(system)},`,
    `"tools": [\n${tools.map((tool) => JSON.stringify(tool)).join(',\n')}\n],`,
    `"messages": [\n${messages.map((message) => JSON.stringify(message)).join(',\n')}\n]`,
    '}',
    '',
  ].join('\n');
