import { PalimpsestError } from './errors.js';

/** A path of the API, created by {@link path}, which encodes its parameters. */
export type Path = { readonly path: string };

/** `` path`/v1/sessions/${session}` `` */
export const path = (texts: TemplateStringsArray, ...parts: readonly (string | number)[]): Path => ({
  path: texts.map((text, at) => text + encodeURIComponent(String(parts[at] ?? ''))).join(''),
});

/**
 * Refuses a path with a segment `.` or `..`: URLs resolve both even where they are encoded, so the call would reach another route.
 *
 * @throws {PalimpsestError} `invalid-id`.
 */
export const requireOwnRoute = ({ path }: Path): void => {
  if (new URL(path, 'http://x').pathname !== path)
    throw new PalimpsestError('invalid-id', 'use another ID: URLs resolve "." and ".."');
};

type QueryValue = string | number | boolean | readonly string[] | undefined;
export type Query = { readonly [name: string]: QueryValue };

/** Returns the query string with its question mark, without `undefined` parameters. */
export const queryString = (query: Query): string => {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    const values = Array.isArray(value) ? value : [value];
    for (const one of values) if (one !== undefined) params.append(name, String(one));
  }
  return params.size === 0 ? '' : `?${params}`;
};
