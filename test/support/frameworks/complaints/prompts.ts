import type { RecordedRequest } from '@app/testing/providers';

/** Returns all texts of a request of any wire format, in order. */
export const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

/** Returns the body of the last request. */
export const lastIn = (requests: readonly RecordedRequest[]): unknown =>
  JSON.parse(requests.at(-1)?.text ?? '{}');

/** The messages of a request in OpenAI's, Anthropic's or Google's format. */
const messagesIn = (request: unknown): readonly unknown[] => {
  const { input, messages, contents }: Readonly<Record<string, unknown[] | undefined>> = Object(request);
  return input ?? messages ?? contents ?? [];
};

/** IDs, states and cache marks are no part of the prompt: frameworks drop or move them. */
const NO_PROMPT: ReadonlySet<string> = new Set(['id', 'status', 'cache_control']);
const promptOf = (message: unknown): string =>
  JSON.stringify(message, (key, value: unknown) => (NO_PROMPT.has(key) ? undefined : value));
const isSystem = (message: unknown): boolean => ['system', 'developer'].includes(Object(message).role);

/** Returns the indexes of the requests that do not begin with the messages of the request before. */
export const rewrittenIn = (requests: readonly RecordedRequest[]): readonly number[] => {
  const prompts = requests.map(({ text }) => messagesIn(JSON.parse(text)).map(promptOf));
  return prompts.flatMap((prompt, at) =>
    (prompts[at - 1] ?? []).every((message, place) => message === prompt[place]) ? [] : [at],
  );
};

/** Returns the number of forms of tools and instructions, which stand before the messages. */
export const headsIn = (requests: readonly RecordedRequest[]): number => {
  const heads = requests.map(({ text }) => {
    const body = JSON.parse(text);
    const { tools, system, instructions, systemInstruction } = body;
    return promptOf([tools, system, instructions, systemInstruction, messagesIn(body).filter(isSystem)]);
  });
  return new Set(heads).size;
};
