import { AppError, canonicalJson } from '@app/kernel';
import { PROMPT_NAME, SUMMARIZER_NAME } from '../../profiles/summarizer-names.js';
import type { ConfigureSummarizersCommand } from '../commands.js';
import type { TenantEvent } from '../events.js';
import type { RegisteredTenant } from '../state.js';

const SUMMARIZERS_MAX = 32;
const LINKS_MAX = 8;
/** Names with another meaning in profiles. */
const TAKEN: ReadonlySet<string> = new Set(['default', 'extractive']);

/** @throws {AppError} `invalid-settings`, with the first rule that is broken. */
export const configureSummarizers = (
  { data: { summarizers } }: ConfigureSummarizersCommand,
  tenant: RegisteredTenant,
): readonly TenantEvent[] => {
  const named = Object.entries(summarizers.summarizers);
  require(named.length <= SUMMARIZERS_MAX, `a tenant has ${SUMMARIZERS_MAX} summarizers at most`);
  for (const [name, links] of named) {
    requireName('a summarizer', name);
    require(!TAKEN.has(name), `"${name}" is no name for a summarizer: profiles mean something else by it`);
    const isFilled = links.length > 0 && links.length <= LINKS_MAX;
    require(isFilled, `a summarizer has 1 to ${LINKS_MAX} links: "${name}" has ${links.length}`);
    for (const link of links) {
      if (link.provider === 'extractive') continue;
      requireName('a secret', link.secret);
      require(link.prompt === undefined ||
        PROMPT_NAME.test(
          link.prompt,
        ), 'a prompt is given as NAME or NAME@VERSION: `palimpsest prompts list` shows those there are');
    }
  }
  const byDefault = summarizers.default;
  require(byDefault === null ||
    Object.hasOwn(summarizers.summarizers, byDefault), 'default names one of the summarizers, or is null');
  if (canonicalJson(summarizers) === canonicalJson(tenant.summarizers)) return [];
  return [{ type: 'SummarizersConfigured', data: summarizers }];
};

const requireName = (what: string, name: string): void =>
  require(SUMMARIZER_NAME.test(
    name,
  ), `the name of ${what} has 1 to 64 letters, digits, ".", "_" or "-", and begins with a letter or digit`);

const require = (holds: boolean, rule: string): void => {
  if (!holds) throw new AppError('invalid-settings', rule);
};
