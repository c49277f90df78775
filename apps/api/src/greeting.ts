/**
 * Returns the text that the service prints to stdout when it is ready: its URLs and a first request. Logs go to stderr.
 *
 * @param keyFile path of the first key, if this start has written one.
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
