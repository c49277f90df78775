import type { SummaryRequest } from '@app/ports';
import { transcriptPrompt } from '@app/prompts';
import type { RequestBody } from './request-body.js';

/** A request of its own: what is to be summarized as a transcript. */
export const transcriptRequest = (request: SummaryRequest): RequestBody => {
  const { system, user } = transcriptPrompt(request);
  return { system, messages: [{ role: 'user', content: user }] };
};
