type Shown = {
  /** Path of the first key, if this start has written one. */
  readonly keyFile: string | undefined;
  /** Link that signs a browser in once; `undefined` where others may read the output. */
  readonly signInLink: string | undefined;
};

/** Returns the text that the service prints to stdout when it is ready: its URLs and a first request. Logs go to stderr. */
export const greeting = (url: string, { keyFile, signInLink }: Shown): string => {
  const shown = keyFile === undefined ? '$PALIMPSEST_API_KEY' : `$(cat '${keyFile}')`;
  return [
    `Palimpsest is ready at ${url}`,
    signInLink === undefined
      ? `  console  ${url}/console`
      : `  console  ${signInLink}\n           signs in once, within 15 minutes`,
    `  docs     ${url}/docs`,
    `  health   ${url}/health`,
    '  first call:',
    `    curl -X POST ${url}/v1/sessions -H "Authorization: Bearer ${shown}" \\`,
    `      -H 'Content-Type: application/json' -d '{"session":"first"}'`,
    '',
  ].join('\n');
};
