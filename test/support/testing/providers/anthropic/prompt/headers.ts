import type { RecordedRequest } from '../../server/recorded-request.js';

/** Returns the beta features that a request enables. */
export const betasOf = ({ headers }: RecordedRequest): ReadonlySet<string> =>
  new Set(
    String(headers['anthropic-beta'] ?? '')
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  );

export const versionOf = ({ headers }: RecordedRequest): string | undefined => {
  const version = headers['anthropic-version'];
  return typeof version === 'string' ? version : undefined;
};
