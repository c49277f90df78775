import { AppError, ERROR_CODES } from '@app/kernel';
import { expect, it, jest } from '@jest/globals';
import fastify from 'fastify';
import { answerError } from './problem.filter.js';

it('says when to repeat the request in every 429 and 503, and in no answer that a repetition would not change', async () => {
  jest.spyOn(process.stdout, 'write').mockReturnValue(true); // Lines of the log.
  const http = fastify();
  for (const code of ERROR_CODES)
    for (const path of [`/v1/${code}`, `/gateway/anthropic/${code}`])
      http.get(path, (request, reply) => answerError(new AppError(code, 'refused'), request, reply));
  const seconds = new Map<string, string>();
  for (const code of ERROR_CODES)
    for (const path of [`/v1/${code}`, `/gateway/anthropic/${code}`]) {
      const { statusCode, headers } = await http.inject(path);
      const isTemporary = statusCode === 429 || statusCode === 503 || code === 'request-in-progress';
      expect({ path, says: headers['retry-after'] !== undefined }).toEqual({ path, says: isTemporary });
      if (isTemporary) seconds.set(code, String(headers['retry-after']));
    }
  await http.close();
  jest.restoreAllMocks();
  expect(seconds.get('postgres-unavailable')).toBe('1');
  expect(seconds.get('erasure-in-progress')).toBe('5');
});
