import { isJsonObject, type JsonObject } from '@app/kernel';
import { numberOr, objectsIn, textOr } from '../../values/wire-values.js';
import { type Api, overflowOf } from '../failures/failing.js';
import { invalid, type Refusal } from '../failures/refusal.js';
import type { OpenAiModel, OpenAiModels } from '../models.js';
import { promptText } from '../prompt/prompt-text.js';
import { inputItems } from '../prompt/requested.js';
import type { Accepted, Writer } from '../writer.js';
import { chatRefusals } from './chat.js';
import { itemRefusals, parameterRefusals } from './responses.js';

export type Judgement = { readonly refusal: Refusal } | { readonly accepted: Accepted };

/** Validates a request as Chat Completions does before it reaches a model. */
export const judgeChat = (body: JsonObject, models: OpenAiModels, writer: Writer): Judgement => {
  const model = models.find(textOr(body.model, ''));
  if (!model) return { refusal: unknownModel(body) };
  for (const refusal of chatRefusals(body, model)) return { refusal };
  return weigh('chat', body, objectsIn(body.messages), model, writer);
};

/**
 * Validates a request as the Responses API does, with the server's stored state.
 * @param trustsForeign whether to accept encrypted items of other origins, which cannot be verified.
 */
export const judgeResponse = (
  body: JsonObject,
  models: OpenAiModels,
  writer: Writer,
  trustsForeign = false,
): Judgement => {
  const model = models.find(textOr(body.model, ''));
  if (!model) return { refusal: unknownModel(body) };
  for (const refusal of parameterRefusals(body, model)) return { refusal };
  const found = findItems(body, writer);
  if (!Array.isArray(found)) return { refusal: found.refusal };
  const given = inputItems(body.input);
  const secret = trustsForeign ? undefined : writer.secret;
  for (const refusal of itemRefusals(given, found, writer.store, secret)) return { refusal };
  return weigh('responses', body, found, model, writer);
};

type Found = JsonObject[] | { readonly refusal: Refusal };

/** Returns all items: those of the named response, then the input with resolved references. */
const findItems = (body: JsonObject, { store }: Writer): Found => {
  const { previous_response_id: id, conversation } = body;
  if (conversation != null) {
    const name = textOr(isJsonObject(conversation) ? conversation.id : conversation, '');
    return { refusal: { ...invalid(`Conversation with id '${name}' not found.`), status: 404 } };
  }
  const before = typeof id === 'string' ? store.itemsOf(id) : [];
  if (!before)
    return {
      refusal: invalid(
        `Previous response with id '${String(id)}' not found.`,
        'previous_response_id',
        'previous_response_not_found',
      ),
    };
  const items: JsonObject[] = [...before];
  for (const item of inputItems(body.input)) {
    const named = item.type === 'item_reference' ? store.item(textOr(item.id, '')) : item;
    if (!named)
      return {
        refusal: { ...invalid(`Item with id '${String(item.id)}' not found.`, 'input'), status: 404 },
      };
    items.push(named);
  }
  return items;
};

const weigh = (
  api: Api,
  body: JsonObject,
  items: readonly JsonObject[],
  model: OpenAiModel,
  { count }: Writer,
): Judgement => {
  const seen = sinceCompaction(items);
  const prompt = promptText(model.id, body.instructions, objectsIn(body.tools), seen);
  const tokens = count(prompt);
  if (tokens > model.inputMax) return { refusal: overflowOf(api, tokens, model.inputMax) };
  const members = ['max_completion_tokens', 'max_tokens', 'max_output_tokens'];
  const wanted = Math.max(0, ...members.map((member) => numberOr(body[member], 0)));
  if (model.window !== undefined && tokens + wanted > model.window)
    return { refusal: overflowOf(api, tokens + wanted, model.window) };
  return { accepted: { model, items, prompt, tokens } };
};

/** Before the newest compaction item the model sees user messages only. */
const sinceCompaction = (items: readonly JsonObject[]): readonly JsonObject[] => {
  const last = items.findLastIndex(({ type }) => type === 'compaction');
  return items.filter(
    ({ role, type }, at) => (at >= last || role === 'user') && type !== 'compaction_trigger',
  );
};

const unknownModel = ({ model }: JsonObject): Refusal =>
  typeof model === 'string'
    ? {
        ...{ status: 404, type: 'invalid_request_error', param: null, code: 'model_not_found' },
        message: `The model \`${model}\` does not exist or you do not have access to it.`,
      }
    : invalid("Missing required parameter: 'model'.", 'model', 'missing_required_parameter');
