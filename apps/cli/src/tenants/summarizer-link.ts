import { MODEL_PROVIDERS, type SummarizerLink } from '@app/domain';
import { AppError } from '@app/kernel';

/** Models may have any other character in their names, blanks and # left out. */
const LINK = /^([a-z-]+)(?::([^\s#]+))?#([^\s#]+)$/;

/** One of those that are tried, as it is written. @throws {AppError} `invalid-settings`. */
export const summarizerLink = (text: string): SummarizerLink => {
  if (text === 'extractive') return { provider: 'extractive' };
  const [, named, model, secret] = LINK.exec(text) ?? [];
  const provider = MODEL_PROVIDERS.find((one) => one === named);
  if (provider && secret !== undefined) return { provider, secret, ...(model !== undefined && { model }) };
  // A key that stands in a secret's place is not repeated.
  const providers = MODEL_PROVIDERS.join(', ');
  throw new AppError(
    'invalid-settings',
    `a summarizer is written extractive, or PROVIDER[:MODEL]#SECRET, such as anthropic:claude-haiku-4-5#my-key; providers are ${providers}`,
  );
};

/** The same the other way. */
export const textOfLink = (link: SummarizerLink): string => {
  if (link.provider === 'extractive') return link.provider;
  const { provider, model, secret, prompt } = link;
  const promptText = prompt === undefined ? '' : ` (prompt ${prompt})`;
  return `${provider}${model === undefined ? '' : `:${model}`}#${secret}${promptText}`;
};
