import { MODEL_PROVIDERS, type SummarizerLink } from '@app/domain';
import { AppError } from '@app/kernel';

/** Names of models may contain any character except white space and `#`. */
const LINK = /^([a-z-]+)(?::([^\s#]+))?#([^\s#]+)$/;

/** Parses one summarizer of a chain. @throws {AppError} `invalid-settings`. */
export const summarizerLink = (text: string): SummarizerLink => {
  if (text === 'extractive') return { provider: 'extractive' };
  const [, named, model, secret] = LINK.exec(text) ?? [];
  const provider = MODEL_PROVIDERS.find((one) => one === named);
  if (provider && secret !== undefined) return { provider, secret, ...(model !== undefined && { model }) };
  // The error does not repeat the text: it may be a key given instead of a secret's name.
  const providers = MODEL_PROVIDERS.join(', ');
  throw new AppError(
    'invalid-settings',
    `a summarizer is written extractive, or PROVIDER[:MODEL]#SECRET, such as anthropic:claude-haiku-4-5#my-key; providers are ${providers}`,
  );
};

/** Returns the text that {@link summarizerLink} parses. */
export const textOfLink = (link: SummarizerLink): string => {
  if (link.provider === 'extractive') return link.provider;
  const { provider, model, secret, prompt } = link;
  const promptText = prompt === undefined ? '' : ` (prompt ${prompt})`;
  return `${provider}${model === undefined ? '' : `:${model}`}#${secret}${promptText}`;
};
