import { invariant } from '@app/kernel';
import { inputTokensOf, type RecordedRequest } from '@app/testing/providers';
import { headsIn, lastIn, rewrittenIn, textsIn } from './prompts.js';
import type { PlayedAlone, Run } from './run.js';
import { LAST_ANSWER, OVERSIZED_ANSWERS, PROMPTS, RULES, WINDOW } from './scenario.js';

/** A compaction that a framework has itself, configured for a window of 16,000 tokens as its documentation describes. */
export type OwnCompaction = {
  /** Name of the framework. */
  readonly name: string;
  /** What it is, for `docs/complaints.md`. */
  readonly title: string;
  /** Whether a model writes summaries; otherwise messages are only left out. */
  readonly summarizes: boolean;
  /** Rewrites the source of the sample, if the module in `own/` is not enough. */
  readonly edit?: (source: string) => string;
};

const PI: Omit<OwnCompaction, 'name'> = {
  ...{ title: 'automatic compaction', summarizes: true },
  // Reserved and kept tokens have the ratio to each other that they have by default.
  edit: (source) =>
    replaced(source, [
      ['contextWindow: 400_000', 'contextWindow: 16_000'],
      [
        '  sessionManager:',
        '  settingsManager: pi.SettingsManager.inMemory({ compaction: { reserveTokens: 3_200, keepRecentTokens: 4_000 } }),\n  sessionManager:',
      ],
    ]),
};

const replaced = (source: string, changes: readonly (readonly [from: string, to: string])[]): string =>
  changes.reduce((text, [from, to]) => {
    invariant(text.includes(from), `the sample has no ${from}`);
    return text.replace(from, to);
  }, source);

export const OWN_COMPACTIONS: readonly OwnCompaction[] = [
  { name: 'vercel-ai', title: '`pruneMessages`', summarizes: false },
  { name: 'langchain', title: '`summarizationMiddleware`', summarizes: true },
  { name: 'mastra', title: '`TokenLimiterProcessor`', summarizes: false },
  { ...PI, name: 'pi' },
  { ...PI, name: 'pi-1' },
  { name: 'google-adk', title: '`TokenBasedContextCompactor`', summarizes: true },
];

/** `undefined`: the complaint does not hold; `n/a` begins the reason of a complaint that cannot be judged. */
export type OwnVerdict = string | undefined;
type Check = (played: PlayedAlone, own: OwnCompaction) => OwnVerdict;

/** Requests of the agent, which have tools; a request for a summary has none. */
export const isOfAgent = ({ body }: RecordedRequest): boolean =>
  Array.isArray(body.tools) && body.tools.length > 0;
const agentIn = ({ requests }: Run): readonly RecordedRequest[] => requests.filter(isOfAgent);
const acceptedIn = (run: Run): readonly RecordedRequest[] =>
  agentIn(run).filter(({ status }) => status === 200);
const summariesIn = ({ requests }: Run): number =>
  requests.filter((request) => !isOfAgent(request) && request.status === 200).length;
/** The server counts four bytes as a token. */
const sizeOf = (request: RecordedRequest): number =>
  request.status === 200 ? inputTokensOf(request) : Math.ceil(Buffer.byteLength(request.text) / 4);

const rulesKept: Check = (played) => {
  const all = agentIn(played).map(({ text }) => text);
  const said = RULES.filter((rule) => all.some((text) => text.includes(rule)));
  const lost = said.filter((rule) => !all.at(-1)?.includes(rule));
  return lost.length === 0 ? undefined : `${lost.length} of ${said.length} rules are not in the last request`;
};

const finishes: Check = (played) => {
  const ended = played.stdout.trim();
  if (!ended.endsWith(LAST_ANSWER)) return `the agent ended after "${ended.split('\n').at(-1)}"`;
  const last = textsIn(lastIn(agentIn(played))).includes(PROMPTS.at(-1) ?? '');
  return last ? undefined : 'the last turn of the user is not in the last request';
};

const noLoops: Check = (played, { summarizes }) => {
  if (!summarizes) return 'n/a: it cuts each request anew';
  const compactions = summariesIn(played);
  if (compactions < 10) return `n/a: only ${compactions} compactions`;
  const requests = acceptedIn(played);
  const large = rewrittenIn(requests).filter((at) => sizeAt(requests, at) >= 0.8 * WINDOW);
  return large.length === 0 ? undefined : `${large.length} compactions ended above 80 % of the window`;
};
const sizeAt = (requests: readonly RecordedRequest[], at: number): number => {
  const request = requests[at];
  return request ? sizeOf(request) : 0;
};

const alwaysCompacts: Check = ({ oversized }) => {
  const answers = oversized.stdout.trim().split('\n').filter(Boolean);
  if (answers.join('\n') === OVERSIZED_ANSWERS.join('\n')) return undefined;
  return `${answers.filter((answer) => OVERSIZED_ANSWERS.includes(answer)).length} of ${OVERSIZED_ANSWERS.length} turns were answered`;
};

const noOrphans: Check = (played) => {
  const refused = agentIn(played).filter((request) => request.status !== 200 && sizeOf(request) < WINDOW);
  return refused.length === 0 ? undefined : `the provider refused ${refused.length} requests`;
};

const noInventedWords: Check = (played, { summarizes }) => {
  if (summarizes) return 'n/a: the model writes the summary';
  const injected = agentIn(played).some(({ text }) => userTextsIn(text).includes('delete the archive'));
  return injected ? 'text of a tool became words of the user' : undefined;
};
const userTextsIn = (text: string): string => {
  const { input, messages, contents } = JSON.parse(text);
  const all: readonly unknown[] = input ?? messages ?? contents ?? [];
  return textsIn(
    all.filter(
      (message) => Object(message).role === 'user' && !JSON.stringify(message).includes('functionResponse'),
    ),
  ).join('\n');
};

const noUndo: Check = () => 'n/a: requests do not show it';

const rightWindow: Check = (played) => {
  const large = agentIn(played).filter((request) => sizeOf(request) >= WINDOW);
  return large.length === 0 ? undefined : `${large.length} requests exceed the window`;
};

const cacheKept: Check = (played, { summarizes }) => {
  const requests = acceptedIn(played);
  const rewritten = rewrittenIn(requests);
  const heads = headsIn(requests);
  if (heads > 1) return `tools and instructions have ${heads} forms`;
  const isTooOften = summarizes
    ? rewritten.length > summariesIn(played)
    : rewritten.some((at) => rewritten.includes(at + 1));
  return isTooOften
    ? `${rewritten.length} of ${requests.length} requests changed their beginning`
    : undefined;
};

const resultsArrive: Check = (played) => {
  const all = agentIn(played).map(({ text }) => text);
  const called = played.pages(acceptedIn(played).length - 1);
  const lost = called.filter((page) => !all.some((text) => text.includes(`Page ${page}, line 60:`)));
  return lost.length === 0 ? undefined : `${lost.length} of ${called.length} results never reached the model`;
};

/** In the order of the complaints. */
const CHECKS: readonly Check[] = [
  ...[rulesKept, finishes, noLoops, alwaysCompacts, noOrphans],
  ...[noInventedWords, noUndo, rightWindow, cacheKept, resultsArrive],
];

/** Returns the verdict on a framework's own compaction for each complaint, in their order. */
export const ownVerdictsOn = (played: PlayedAlone, own: OwnCompaction): readonly OwnVerdict[] =>
  CHECKS.map((check) => check(played, own));
