import { get_encoding } from 'tiktoken';

/** Target sizes of the sample; tokens as o200k_base counts the text of the blocks. */
const LIMITS = {
  turns: { min: 14, max: 22 },
  messages: { min: 90, max: 140 },
  tokens: { min: 70_000, max: 95_000 },
  turnTokens: { min: 0, max: 9_500 },
  messageTokens: { min: 0, max: 10_000 },
  bytes: { min: 0, max: 500_000 },
};

/**
 * The measures of a transcript. Throws where one is outside its limits, where a tool call is not answered in the
 * message after it, or where a path of this machine is left.
 *
 * @param {{ messages: { role: string, content: any[] }[] }} transcript
 * @param {string} text the file's
 * @param {string[]} machinePaths
 */
export const inspect = ({ messages }, text, machinePaths) => {
  requirePairs(messages);
  requireNoPaths(text, machinePaths);
  const encoding = get_encoding('o200k_base');
  const sizes = messages.map(({ content }) => encoding.encode(content.map(textOf).join('\n'), [], []).length);
  encoding.free();
  const starts = messages.flatMap(({ content }, at) =>
    isWord(messages[at]) && content.length > 0 ? [at] : [],
  );
  const turnSizes = starts.map((start, at) => sum(sizes.slice(start, starts[at + 1])));
  const measures = {
    turns: starts.length,
    messages: messages.length,
    tokens: sum(sizes),
    turnTokens: Math.max(...turnSizes),
    messageTokens: Math.max(...sizes),
    bytes: Buffer.byteLength(text),
  };
  const outside = Object.entries(measures).filter(([name, value]) => {
    const { min, max } = LIMITS[name];
    return value < min || value > max;
  });
  const faults = outside.map(([name, value]) => `${name} ${value}`);
  return { measures, faults, turns: starts.map((start, at) => ({ from: start + 1, tokens: turnSizes[at] })) };
};

/** Whether a message is the user's own, not the results of tools. */
const isWord = ({ role, content }) => role === 'user' && content.every(({ type }) => type === 'text');

const textOf = (block) => {
  if (block.type === 'text') return block.text;
  return block.type === 'tool_use' ? `${block.name} ${JSON.stringify(block.input)}` : block.content;
};

const requirePairs = (messages) => {
  for (const [at, { role, content }] of messages.entries()) {
    if (role !== (at % 2 === 0 ? 'user' : 'assistant')) throw new Error(`message ${at + 1} is out of order`);
    const calls = content.filter(({ type }) => type === 'tool_use').map(({ id }) => id);
    if (role !== 'assistant') continue;
    const results = (messages[at + 1]?.content ?? []).filter(({ type }) => type === 'tool_result');
    const answered = results.map(({ tool_use_id: id }) => id);
    if (calls.join() !== answered.join())
      throw new Error(`the calls of message ${at + 1} are not all answered`);
  }
};

const requireNoPaths = (text, machinePaths) => {
  const found = machinePaths.find((path) => text.includes(path));
  if (found !== undefined) throw new Error(`the transcript names a path of this machine: ${found}`);
};

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
