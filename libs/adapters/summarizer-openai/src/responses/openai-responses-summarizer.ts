import { answerMax, type ModelOptions, type Summarizer } from '@app/ports';
import { identityOf, openAiClient } from '../openai-client.js';
import { compactNatively } from './compact-natively.js';
import { readResponse } from './read-response.js';
import { responsesBody } from './responses-body.js';

/** Summarizes with a model behind OpenAI's Responses. Nothing of a call is stored there. */
export const openAiResponsesSummarizer = (options: ModelOptions): Summarizer => {
  const client = openAiClient(options);
  const { model, isSessionModel, inputMax } = options;
  return {
    identity: identityOf('openai-responses', options),
    ...(inputMax !== undefined && { inputMax }),
    ...(isSessionModel && { repeats: 'openai-responses' as const }),
    summarize: (request, signal) => {
      const sized = { model, max_output_tokens: answerMax(options, request.sizeMax), store: false };
      return readResponse(client, { ...responsesBody(request), ...sized }, signal);
    },
    compactNatively: (parent, signal) => compactNatively(client, parent, model, signal),
  };
};
