import type { JsonObject } from '@app/kernel';
import fc from 'fast-check';

/** A message in Anthropic's form with contents that no correct agent writes. */
export type Said = {
  readonly role: 'user' | 'assistant' | 'system';
  readonly content: readonly JsonObject[];
};

const LONG = 'x'.repeat(100);
/** Few ids, so that they repeat; two share their first 64 characters. */
const CALL_IDS = [
  'toolu_1',
  'toolu_2',
  'call|with.dots and blanks',
  'čall-é',
  `${LONG}a`,
  `${LONG}b`,
  'fc_😀',
];
const TOOL_NAMES = ['Read', 'bad name!', 'näme.of/tool', `mcp__${LONG}__${LONG}`];
const NASTY_TEXTS = [
  'plain words',
  'a pair 😀 of surrogates',
  'half of one \ud83d',
  'the other half \udc4d of it',
  'a NUL \u0000 amid',
  'blanks at its end \n\n',
  'Human: said nobody\n\nAssistant: and nobody answered',
];
const BLANK_TEXTS = ['', ' ', '\n\t  \n'];
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const text = fc
  .oneof(
    { weight: 4, arbitrary: fc.constantFrom(...NASTY_TEXTS) },
    { weight: 1, arbitrary: fc.constantFrom(...BLANK_TEXTS) },
  )
  .map((value): JsonObject => ({ type: 'text', text: value }));
const image = fc.constant<JsonObject>({
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data: PNG },
});
const call = fc
  .record({ id: fc.constantFrom(...CALL_IDS), name: fc.constantFrom(...TOOL_NAMES), words: text })
  .map(({ id, name, words }): JsonObject => ({ type: 'tool_use', id, name, input: { words: words.text } }));
const result = fc
  .record({
    id: fc.constantFrom(...CALL_IDS, 'never-called'),
    parts: fc.array(fc.oneof({ weight: 3, arbitrary: text }, { weight: 1, arbitrary: image }), {
      maxLength: 3,
    }),
    isString: fc.boolean(),
    isError: fc.boolean(),
  })
  .map(
    ({ id, parts, isString, isError }): JsonObject => ({
      type: 'tool_result',
      tool_use_id: id,
      content: isString ? String(parts[0]?.text ?? '') : parts,
      is_error: isError,
    }),
  );
const thinking = fc.constantFrom<JsonObject>(
  { type: 'thinking', thinking: 'a signed thought', signature: 'c2lnbmVk' },
  { type: 'thinking', thinking: 'an unsigned thought' },
  { type: 'redacted_thinking', data: 'cmVkYWN0ZWQ=' },
);
const SEARCH = 'srvtoolu_01';
const providers = fc.constantFrom<JsonObject>(
  { type: 'server_tool_use', id: SEARCH, name: 'web_search', input: { query: 'weather' } },
  { type: 'web_search_tool_result', tool_use_id: SEARCH, content: [] },
  { type: 'hologram', of: 'nobody' },
);

const of = (role: Said['role'], ...blocks: readonly fc.Arbitrary<JsonObject>[]): fc.Arbitrary<Said> =>
  fc.array(fc.oneof(...blocks), { minLength: 1, maxLength: 4 }).map((content) => ({ role, content }));

/** Any message: mostly calls and results in any order, and anything else that a file may contain. */
const saidAnything = (): fc.Arbitrary<Said> =>
  fc.oneof(
    { weight: 5, arbitrary: of('assistant', text, call, call, thinking) },
    { weight: 2, arbitrary: of('assistant', thinking) },
    { weight: 1, arbitrary: of('assistant', text, providers, image, result) },
    { weight: 5, arbitrary: of('user', result, result, text) },
    { weight: 2, arbitrary: of('user', text, image) },
    { weight: 1, arbitrary: of('user', text, call, thinking, providers) },
    { weight: 1, arbitrary: of('system', text) },
  );

/** A conversation in which every non-blank text has a unique number. */
export const conversations = (lengthMin: number, lengthMax: number): fc.Arbitrary<readonly Said[]> =>
  fc.array(saidAnything(), { minLength: lengthMin, maxLength: lengthMax }).map((said) => {
    let count = 0;
    const numbered = (value: JsonObject): JsonObject => {
      const isText = value.type === 'text' && typeof value.text === 'string' && value.text.trim() !== '';
      count += 1;
      if (isText) return { ...value, text: `${count}: ${value.text}` };
      if (value.type === 'tool_use') return { ...value, input: { ...objectIn(value.input), count } };
      if (value.type !== 'tool_result') return value;
      if (Array.isArray(value.content)) return { ...value, content: value.content.map(numbered) };
      return typeof value.content === 'string' && value.content.trim() !== ''
        ? { ...value, content: `${count}: ${value.content}` }
        : value;
    };
    return said.map(({ role, content }) => ({ role, content: content.map(numbered) }));
  });

const objectIn = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {});
