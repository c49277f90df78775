import { computed, signal } from '@preact/signals';

/** A place in the console: decoded segments of the path behind `#`, and its parameters. */
export type Place = { readonly path: readonly string[]; readonly query: URLSearchParams };

/** Places stand behind `#`, so that they work below any path of a reverse proxy and reach no server's log. */
const parse = (hash: string): Place => {
  const [path = '', query = ''] = hash.replace(/^#/, '').split('?');
  return { path: path.split('/').filter(Boolean).map(decoded), query: new URLSearchParams(query) };
};
const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

const hash = signal(location.hash);
addEventListener('hashchange', () => {
  hash.value = location.hash;
});

export const place = computed(() => parse(hash.value));

export type Parameters = { readonly [name: string]: string | number | undefined };

/** Returns the `href` of a place; parameters that are `undefined` or empty are left out. */
export const hrefOf = (path: readonly string[], parameters: Parameters = {}): string => {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== '');
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return `#/${path.map(encodeURIComponent).join('/')}${query === '' ? '' : `?${query}`}`;
};

/** Goes to a place; `replace` keeps the back button from returning to the present one. */
export const go = (href: string, { replace = false } = {}): void => {
  if (replace) history.replaceState(null, '', href);
  else history.pushState(null, '', href);
  hash.value = location.hash;
};

/** Changes parameters of the present place. */
export const setQuery = (changes: Parameters, options?: { readonly replace?: boolean }): void => {
  const { path, query } = place.value;
  go(hrefOf(path, { ...Object.fromEntries(query), ...changes }), options);
};
