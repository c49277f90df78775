import { type Contribution, type ContributionSize, frameContribution, isContributionName } from '@app/domain';
import { AppError, invariant, sumTokens, Tokens, toWellFormed, unlessAborted } from '@app/kernel';
import type { ContextProvider, TokenCounter } from '@app/ports';
import { countedAhead } from '../../sessions/count-message.js';
import type { SessionRef } from '../../sessions/session-ref.js';

/** Milliseconds for all providers together. */
const TIMEOUT_MS = 10_000;

/** Contributions of one request. */
export type Contributions = {
  /** Unframed, in the order of the request. */
  readonly given: readonly Contribution[];
  /** Framed, in the order of the request. */
  readonly texts: readonly string[];
  readonly sizes: readonly ContributionSize[];
  readonly tokens: Tokens;
  readonly failedProviders: readonly string[];
};

/** Collects contributions of this process's context providers and of the caller. */
export class ContributionCollector {
  constructor(
    private readonly providers: readonly ContextProvider[],
    private readonly counter: TokenCounter,
    private readonly timeoutMs: number = TIMEOUT_MS,
  ) {
    const names = providers.map(({ name }) => name);
    invariant(names.every(isContributionName), 'a context provider has a name that is not one');
    invariant(new Set(names).size === names.length, 'two context providers have one name');
  }

  /** @throws {AppError} `invalid-settings` for an invalid or duplicate name. */
  async collect(ref: SessionRef, given: readonly Contribution[]): Promise<Contributions> {
    requireNames(given, this.providers);
    const timeout = AbortSignal.timeout(this.timeoutMs);
    const answers = await Promise.allSettled(this.providers.map((one) => contributionOf(one, ref, timeout)));
    const provided = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
    const failedProviders = this.providers.flatMap(({ name }, at) =>
      answers[at]?.status === 'rejected' ? [name] : [],
    );
    const said = [...provided, ...given].filter(({ text }) => text.trim() !== '');
    const texts = said.map(contributedText);
    const counter = await countedAhead(this.counter, ref.tenant, (listener) => texts.map(listener.count));
    const sizes = said.map(({ name }, at) => ({ name, tokens: Tokens(counter.count(texts[at] ?? '')) }));
    return {
      given: said.map(({ name, text }) => ({ name, text })),
      texts,
      sizes,
      tokens: sumTokens(sizes.map(({ tokens }) => tokens)),
      failedProviders,
    };
  }
}

/** Returns a contribution as requests carry it. */
export const contributedText = (one: Contribution): string => toWellFormed(frameContribution(one));

/** `async`, so that a synchronous exception becomes a rejection. */
const contributionOf = async (
  provider: ContextProvider,
  ref: SessionRef,
  signal: AbortSignal,
): Promise<Contribution> => {
  const text = await unlessAborted(signal, provider.contribute(ref, signal));
  return { name: provider.name, text: text ?? '' };
};

const requireNames = (given: readonly Contribution[], providers: readonly ContextProvider[]): void => {
  const taken = new Set(providers.map(({ name }) => name));
  for (const { name } of given) {
    if (!isContributionName(name)) {
      const message =
        'the name of a contribution has letters, digits, dots, dashes and underscores, at most 64, and no dash first';
      throw new AppError('invalid-settings', message);
    }
    if (taken.has(name)) {
      throw new AppError(
        'invalid-settings',
        `two contributions have the name "${name}": give each a unique name`,
      );
    }
    taken.add(name);
  }
};
