import type { JsonObject } from '@app/kernel';
import { objectsIn, textOr } from '../../values/wire-values.js';
import { type Api, overflowOf } from '../failures/failing.js';
import type { Refusal } from '../failures/refusal.js';
import type { OpenAiModels } from '../models.js';
import { promptText } from '../prompt/prompt-text.js';
import type { Accepted, Writer } from '../writer.js';

export type Judgement = { readonly refusal: Refusal } | { readonly accepted: Accepted };

/** What OpenAI would say of a request's body, before any of it reaches a model. `items` is all that is said. */
export const judge = (
  api: Api,
  body: JsonObject,
  items: readonly JsonObject[],
  models: OpenAiModels,
  { count }: Writer,
): Judgement => {
  const id = textOr(body.model, '');
  const model = models.find(id);
  if (!model)
    return {
      refusal: {
        ...{ status: 404, type: 'invalid_request_error', param: null, code: 'model_not_found' },
        message: `The model \`${id}\` does not exist or you do not have access to it.`,
      },
    };
  const prompt = promptText(model.id, body.instructions, objectsIn(body.tools), items);
  const tokens = count(prompt);
  if (tokens > model.inputMax) return { refusal: overflowOf(api, tokens, model.inputMax) };
  return { accepted: { model, prompt, tokens } };
};
