import type { SummaryRequest } from '@app/ports';
import { transcriptPrompt } from '@app/prompts';
import type { RequestBody } from './request-body.js';

/** Returns a separate request with the covered messages as a transcript. */
export const transcriptRequest = (request: SummaryRequest): RequestBody => {
  const { system, user } = transcriptPrompt(request);
  return { system, messages: [{ role: 'user', content: user }] };
};
