import { AppError, holdsServiceKey } from '@app/kernel';

const PREFIX = /^\/gateway\/(?:anthropic|openai\/v1)(?=\/)/;
/** A decoded path segment: the name of a resource, or of a model with its owner. */
const SEGMENT = /^[A-Za-z0-9._:@~+,=-]+(?:\/[A-Za-z0-9._:@~+,=-]+)*$/;

/**
 * Returns the path and query relative to the provider's base URL. Query parameters that hold a key of this service, by its
 * form or equal to `key`, are removed.
 *
 * @param url such as `/gateway/openai/v1/models/gpt-5?limit=2`.
 * @throws {AppError} `route-not-found` for a segment that would change the path once decoded.
 */
export const upstreamPath = (url: string, key: string | undefined): string => {
  const [path = '', query] = split(url);
  if (!PREFIX.test(path)) throw notFound();
  const relative = path.replace(PREFIX, '');
  if (!relative.slice(1).split('/').every(isName)) throw notFound();
  const kept = (query ?? '')
    .split('&')
    .filter((one) => one !== '' && !holdsServiceKey(one) && (key === undefined || !one.includes(key)));
  return kept.length === 0 ? relative : `${relative}?${kept.join('&')}`;
};

const split = (url: string): readonly [string, string | undefined] => {
  const at = url.indexOf('?');
  return at < 0 ? [url, undefined] : [url.slice(0, at), url.slice(at + 1)];
};

const isName = (segment: string): boolean => {
  const name = decoded(segment);
  return SEGMENT.test(name) && name.split('/').every((part) => !/^\.{1,2}$/.test(part));
};

const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
};

const notFound = (): AppError => new AppError('route-not-found', 'unknown route: see /docs for all routes');
