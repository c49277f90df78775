import type { FailureName, RetryAfter } from '../replies/failure.js';
import type { Headers, Outgoing } from './outgoing.js';

const page = (status: number, title: string): Outgoing => ({
  kind: 'body',
  status,
  headers: { 'content-type': 'text/html' },
  body: `<html>\r\n<head><title>${title}</title></head>\r\n<body><center><h1>${title}</h1></center></body>\r\n</html>\r\n`,
});

/** Failures of the network and of the edge before a provider's own code. */
export const edgeFailure = (failure: FailureName, half: string): Outgoing | undefined => {
  switch (failure) {
    case 'too-large':
      return page(413, '413 Request Entity Too Large');
    case 'html':
      return page(200, 'Sign in to this network');
    case 'bad-gateway':
      return page(502, '502 Bad Gateway');
    case 'half-json':
    case 'empty-body':
      return {
        kind: 'body',
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: failure === 'half-json' ? half : '',
      };
    case 'never-answers':
      return { kind: 'silence' };
    case 'hangs-up':
      return { kind: 'hang-up' };
    default:
      return undefined;
  }
};

export const retryHeaders = (retryAfter: RetryAfter | undefined): Headers => {
  if (retryAfter === undefined) return {};
  if ('seconds' in retryAfter) return { 'retry-after': String(retryAfter.seconds) };
  if ('milliseconds' in retryAfter) return { 'retry-after-ms': String(retryAfter.milliseconds) };
  return { 'retry-after': retryAfter.date.toUTCString() };
};
