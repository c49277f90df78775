import { AppError, holdsServiceKey } from '@app/kernel';

const PREFIX = /^\/gateway\/(?:anthropic|openai\/v1)(?=\/)/;
/** A segment of a path once it is decoded: the name of a resource, or of a model with its owner. */
const SEGMENT = /^[A-Za-z0-9._:@~+,=-]+(?:\/[A-Za-z0-9._:@~+,=-]+)*$/;

/**
 * The path behind the base URL of the provider, with the query. A parameter that holds a key of this service, by its form or
 * as `key`, is left out.
 *
 * @param url such as `/gateway/openai/v1/models/gpt-5?limit=2`.
 * @throws {AppError} `route-not-found` for a segment that leads elsewhere once it is decoded.
 */
export const upstreamPath = (url: string, key: string | undefined): string => {
  const [path = '', query] = split(url);
  if (!PREFIX.test(path)) throw notFound();
  const behind = path.replace(PREFIX, '');
  if (!behind.slice(1).split('/').every(isName)) throw notFound();
  const kept = (query ?? '')
    .split('&')
    .filter((one) => one !== '' && !holdsServiceKey(one) && (key === undefined || !one.includes(key)));
  return kept.length === 0 ? behind : `${behind}?${kept.join('&')}`;
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

const notFound = (): AppError => new AppError('route-not-found', 'there is no such route: see /docs');
