import type { JsonObject } from '@app/kernel';
import type { ErrorForm } from '../../replies/disturbance.js';
import { objectOf, objectsIn, textOr } from '../../values/wire-values.js';
import { pieces } from '../chat/completion.js';
import { errorOf, type Refusal } from '../failures/refusal.js';

type Event = JsonObject & { readonly type: string };

/**
 * Returns the frames of a streamed response: created, in progress, every item with its deltas, and its terminal
 * event.
 */
export const framesOf = (base: JsonObject, response: JsonObject): readonly string[] =>
  inFrames([
    { type: 'response.created', response: base },
    { type: 'response.in_progress', response: base },
    ...objectsIn(response.output).flatMap((item, output_index) => itemEvents(item, output_index)),
    { type: `response.${textOr(response.status, 'completed')}`, response },
  ]);

/** Returns a failure within a stream, in one of the provider's forms. */
export const errorFrames = (
  base: JsonObject,
  refusal: Refusal,
  form: ErrorForm = 'flat',
): readonly string[] => {
  const error = errorOf(refusal);
  const { code, message, param } = error;
  if (form === 'nested') return inFrames([{ type: 'error', error }]);
  const failed = {
    type: 'response.failed',
    response: { ...base, status: 'failed', error: { code, message } },
  };
  return inFrames(form === 'failed' ? [failed] : [{ type: 'error', code, message, param }, failed]);
};

const inFrames = (events: readonly Event[]): readonly string[] =>
  events.map(
    (event, sequence_number) =>
      `event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number })}\n\n`,
  );

const itemEvents = (item: JsonObject, output_index: number): readonly Event[] => {
  const place = { item_id: item.id, output_index };
  const { start, deltas } = inDeltas(item, place);
  return [
    { type: 'response.output_item.added', output_index, item: start },
    ...deltas,
    { type: 'response.output_item.done', output_index, item },
  ];
};

const inDeltas = (
  item: JsonObject,
  place: JsonObject,
): { readonly start: JsonObject; readonly deltas: readonly Event[] } => {
  switch (item.type) {
    case 'message':
      return {
        start: { ...item, status: 'in_progress', content: [] },
        deltas: objectsIn(item.content).flatMap((part, at) =>
          partEvents(part, { ...place, content_index: at }),
        ),
      };
    case 'function_call': {
      const whole = textOr(item.arguments, '');
      const type = 'response.function_call_arguments';
      return {
        start: { ...item, status: 'in_progress', arguments: '' },
        deltas: [
          ...pieces(whole).map((delta) => ({ type: `${type}.delta`, ...place, delta })),
          { type: `${type}.done`, ...place, name: item.name, arguments: whole },
        ],
      };
    }
    case 'reasoning':
      return {
        // Encrypted content may be incomplete until the item is done.
        start: {
          ...{ ...item, summary: [] },
          ...(typeof item.encrypted_content === 'string' && {
            encrypted_content: item.encrypted_content.slice(0, 16),
          }),
        },
        deltas: objectsIn(item.summary).flatMap((part, at) =>
          summaryEvents(part, { ...place, summary_index: at }),
        ),
      };
    default:
      return { start: item, deltas: [] };
  }
};

const partEvents = (part: JsonObject, place: JsonObject): readonly Event[] => {
  const isText = part.type === 'output_text';
  const whole = textOr(isText ? part.text : part.refusal, '');
  const type = isText ? 'response.output_text' : 'response.refusal';
  const logprobs = isText ? { logprobs: [] } : {};
  const emptied = { ...part, ...(isText ? { text: '' } : { refusal: '' }) };
  return [
    { type: 'response.content_part.added', ...place, part: emptied },
    ...pieces(whole).map((delta) => ({ type: `${type}.delta`, ...place, delta, ...logprobs })),
    { type: `${type}.done`, ...place, ...(isText ? { text: whole } : { refusal: whole }), ...logprobs },
    { type: 'response.content_part.done', ...place, part },
  ];
};

const summaryEvents = (part: JsonObject, place: JsonObject): readonly Event[] => {
  const text = textOr(objectOf(part).text, '');
  const type = 'response.reasoning_summary';
  return [
    { type: `${type}_part.added`, ...place, part: { ...part, text: '' } },
    ...pieces(text).map((delta) => ({ type: `${type}_text.delta`, ...place, delta })),
    { type: `${type}_text.done`, ...place, text },
    { type: `${type}_part.done`, ...place, part },
  ];
};
