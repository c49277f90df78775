/**
 * What people are told when everything is ready: where it is, and how to make the first call. Logs are on stderr.
 *
 * @param keyFile holds the first key, where this start has written one.
 */
export const greeting = (url: string, keyFile?: string): string => {
  const shown = keyFile === undefined ? '$PALIMPSEST_API_KEY' : `$(cat '${keyFile}')`;
  return [
    `Palimpsest is ready at ${url}`,
    `  docs     ${url}/docs`,
    `  health   ${url}/health`,
    '  first call:',
    `    curl -X POST ${url}/v1/sessions -H "Authorization: Bearer ${shown}" \\`,
    `      -H 'Content-Type: application/json' -d '{"session":"first"}'`,
    '',
  ].join('\n');
};
