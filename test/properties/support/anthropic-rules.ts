import { isJsonObject, type JsonObject } from '@app/kernel';

/**
 * Returns the violations of Anthropic's documented rules for a body of `POST /v1/messages`. Reads plain JSON,
 * independently of the engine's composition and validation.
 */
export const anthropicFaults = (body: unknown): string[] => {
  if (!isJsonObject(body) || !Array.isArray(body.messages)) return ['no messages'];
  const messages = body.messages.filter(isJsonObject);
  const contents = messages.map(({ content }) =>
    Array.isArray(content) ? content.filter(isJsonObject) : [],
  );
  const roles = messages.map(({ role }) => role);
  const faults: string[] = [];
  if (roles[0] !== 'user') faults.push('does not begin with the user');
  const calls = contents.flatMap((blocks) => idsOf(blocks, 'tool_use', 'id'));
  if (new Set(calls).size < calls.length) faults.push('a call id twice');

  for (const [at, blocks] of contents.entries()) {
    const where = `message ${at}`;
    if (roles[at] !== 'user' && roles[at] !== 'assistant') faults.push(`${where}: role ${String(roles[at])}`);
    if (at > 0 && roles[at] === roles[at - 1]) faults.push(`${where}: the same role again`);
    if (blocks.length === 0) faults.push(`${where}: nothing in it`);
    faults.push(
      ...blocks.flatMap((block) => faultsOf(block, roles[at])).map((fault) => `${where}: ${fault}`),
    );

    const results = idsOf(blocks, 'tool_result', 'tool_use_id');
    const asked = at > 0 ? idsOf(contents[at - 1] ?? [], 'tool_use', 'id') : [];
    // A batch of calls is answered in the next message, with one result each, before other content.
    if (results.toSorted().join() !== asked.toSorted().join())
      faults.push(`${where}: [${results}] answers [${asked}]`);
    if (blocks.slice(0, results.length).some(({ type }) => type !== 'tool_result'))
      faults.push(`${where}: results after something else`);
  }
  if (cacheMarks(body) > 4) faults.push(`${cacheMarks(body)} cache marks`);
  return faults;
};

const idsOf = (blocks: readonly JsonObject[], type: string, member: string): string[] =>
  blocks.filter((block) => block.type === type).map((block) => String(block[member]));

const faultsOf = (block: JsonObject, role: unknown): string[] => {
  switch (block.type) {
    case 'text':
      return isBlank(block.text) ? ['a blank text'] : [];
    case 'tool_use':
      return [
        ...(role === 'assistant' ? [] : ['a call by the user']),
        ...(isName(block.id, 64) ? [] : ['a call id of odd characters']),
        ...(isName(block.name, 128) ? [] : ['a tool name of odd characters']),
        ...(isJsonObject(block.input) ? [] : ['a call without input']),
      ];
    case 'tool_result':
      return [
        ...(role === 'user' ? [] : ['a result by the assistant']),
        ...(Array.isArray(block.content) &&
        block.content.some((part) => isJsonObject(part) && part.type === 'text' && isBlank(part.text))
          ? ['a blank text in a result']
          : []),
      ];
    case 'thinking':
      return role === 'assistant' && typeof block.signature === 'string' && block.signature !== ''
        ? []
        : ['unsigned reasoning'];
    case 'redacted_thinking':
    case 'provider_block':
      return role === 'assistant' ? [] : [`${block.type} by the user`];
    case 'image':
    case 'document':
      return role === 'user' ? [] : [`${block.type} by the assistant`];
    default:
      return [`a block of type ${String(block.type)}`];
  }
};

const isBlank = (text: unknown): boolean => typeof text !== 'string' || text.trim() === '';
const isName = (name: unknown, max: number): boolean =>
  typeof name === 'string' && name.length <= max && /^[A-Za-z0-9_-]+$/.test(name);

/** Counts cache marks outside of tool inputs. */
const cacheMarks = (value: unknown): number => {
  let marks = 0;
  if (Array.isArray(value)) for (const item of value) marks += cacheMarks(item);
  else if (isJsonObject(value)) {
    for (const name in value) {
      if (name === 'input') continue;
      marks += name === 'cache_control' && value[name] ? 1 : cacheMarks(value[name]);
    }
  }
  return marks;
};
