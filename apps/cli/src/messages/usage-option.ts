import type { Usage } from '@app/domain';
import { isUsageCount, LIMITS, RequestId, Tokens } from '@app/kernel';
import { InvalidArgumentError } from 'commander';

const HINT = `give tokens such as input=1200,cacheRead=800,cacheWrite=0,output=90, each at most ${LIMITS.usageTokens.max}; missing kinds are 0`;

/** Parses the usage that a provider billed. */
export const usageFrom = (text: string): Usage => {
  const counts = new Map<string, number>();
  for (const part of text.split(',')) {
    const [, name, count] = /^(input|cacheRead|cacheWrite|output)=(\d{1,12})$/.exec(part.trim()) ?? [];
    if (name === undefined || counts.has(name) || !isUsageCount(Number(count)))
      throw new InvalidArgumentError(HINT);
    counts.set(name, Number(count));
  }
  const of = (name: string): Tokens => Tokens(counts.get(name) ?? 0);
  return {
    inputTokens: of('input'),
    cacheReadTokens: of('cacheRead'),
    cacheWriteTokens: of('cacheWrite'),
    outputTokens: of('output'),
  };
};

/** Parses the ID of a request. */
export const requestIdFrom = (text: string): RequestId => {
  try {
    return RequestId(text);
  } catch {
    throw new InvalidArgumentError(
      'give the id that `palimpsest compose` printed, such as req-12-0f3ac5d1e2b4',
    );
  }
};
