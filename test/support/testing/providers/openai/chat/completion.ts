import type { JsonObject } from '@app/kernel';
import type { Answer, Part } from '../../replies/reply.js';

/** The common fields of every chunk and of the whole completion. */
export type Heading = { readonly id: string; readonly model: string };
/** Constant, so that equal scripts give equal bytes. */
const CREATED = 1_795_000_000;

export type Choice = {
  readonly text: string;
  readonly refusal: string | null;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly arguments: string }[];
  readonly finish: string;
};

/** Returns an answer as the single choice of a chat completion. Thinking has no text here: it is only billed. */
export const choiceOf = ({ parts, stop }: Answer, nextCallId: () => string): Choice => {
  const textsOf = (type: 'text' | 'refusal') =>
    parts.flatMap((part) => (part.type === type ? [part.text] : [])).join('');
  const calls = parts.flatMap((part) => (part.type === 'call' ? [callOf(part, nextCallId)] : []));
  const refusal = textsOf('refusal');
  return {
    ...{ text: textsOf('text'), refusal: refusal === '' ? null : refusal, calls },
    finish: finishOf(stop, calls.length > 0),
  };
};

const callOf = ({ id, name, input }: Extract<Part, { type: 'call' }>, nextId: () => string) => ({
  ...{ id: id ?? nextId(), name, arguments: JSON.stringify(input) },
});

const finishOf = (stop: Answer['stop'], calls: boolean): string => {
  if (stop === 'max-tokens' || stop === 'window-full') return 'length';
  if (stop === 'refusal') return 'content_filter';
  return calls ? 'tool_calls' : 'stop';
};

export const completionOf = (heading: Heading, choice: Choice, usage: JsonObject): JsonObject => ({
  ...{ id: heading.id, object: 'chat.completion', created: CREATED, model: heading.model },
  choices: [
    {
      index: 0,
      message: {
        ...{ role: 'assistant', content: choice.text === '' ? null : choice.text, refusal: choice.refusal },
        ...(choice.calls.length > 0 && {
          tool_calls: choice.calls.map(({ id, ...called }) => ({ id, type: 'function', function: called })),
        }),
        annotations: [],
      },
      logprobs: null,
      finish_reason: choice.finish,
    },
  ],
  usage,
  service_tier: 'default',
});

/** Characters per delta. */
const DELTA_CHARS = 24;
export const pieces = (text: string): readonly string[] => {
  const all: string[] = [];
  const characters = [...text];
  for (let from = 0; from < characters.length; from += DELTA_CHARS)
    all.push(characters.slice(from, from + DELTA_CHARS).join(''));
  return all;
};

/** Returns the frames of a streamed completion: role, deltas, finish, usage on request, and `[DONE]`. */
export const chunksOf = (
  heading: Heading,
  choice: Choice,
  usage: JsonObject | undefined,
): readonly string[] => {
  const chunk = (more: JsonObject): JsonObject => ({
    ...{ id: heading.id, object: 'chat.completion.chunk', created: CREATED, model: heading.model },
    ...{ service_tier: 'default', ...(usage && { usage: null }), ...more },
  });
  const delta = (one: JsonObject, finish: string | null = null): JsonObject =>
    chunk({ choices: [{ index: 0, delta: one, logprobs: null, finish_reason: finish }] });
  const chunks = [
    delta({ role: 'assistant', content: choice.calls.length > 0 ? null : '', refusal: null }),
    ...pieces(choice.text).map((content) => delta({ content })),
    ...pieces(choice.refusal ?? '').map((refusal) => delta({ refusal })),
    ...choice.calls.flatMap(({ id, name, arguments: given }, index) => [
      delta({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
      ...pieces(given).map((piece) => delta({ tool_calls: [{ index, function: { arguments: piece } }] })),
    ]),
    delta({}, choice.finish),
    ...(usage ? [chunk({ choices: [], usage })] : []),
  ];
  return [...chunks.map((one) => `data: ${JSON.stringify(one)}\n\n`), 'data: [DONE]\n\n'];
};
