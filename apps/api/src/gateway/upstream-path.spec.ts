import { describe, expect, it } from '@jest/globals';
import { upstreamPath } from './call-from.js';

describe('the upstream path of a gateway request', () => {
  it.each([
    ['/gateway/openai/v1/models/gpt-5?limit=2', '/models/gpt-5?limit=2'],
    ['/gateway/anthropic/v1/models/claude%2Done', '/v1/models/claude%2Done'],
    ['/gateway/openai/v1/models/owner%2Fmodel:7b', '/models/owner%2Fmodel:7b'],
    ['/gateway/anthropic/v1/models?key=pal_abc&after=x', '/v1/models?after=x'],
    ['/gateway/anthropic/v1/models?key=pal%5Fabc', '/v1/models'],
    ['/gateway/anthropic/v1/models?a=the-configured-key', '/v1/models'],
  ])('of %s is %s', (url, path) => {
    expect(upstreamPath(url, 'the-configured-key')).toBe(path);
  });

  it.each([
    '..%2f..%2fx',
    '..',
    '%2e%2e',
    '.',
    'a%2f..%2fb',
    'a%5cb',
    '%252e%252e',
    'a%00',
    'a%0d%0ab',
    'a%2f%2fb',
    '%',
    '',
  ])('has no segment %s', (segment) => {
    expect(() => upstreamPath(`/gateway/openai/v1/models/${segment}`, undefined)).toThrow('unknown route');
  });
});
