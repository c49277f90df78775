import { GetContext, ReadSession } from '@app/application';
import type { ContextView, ImportedSession } from '@app/contract';
import { historyIn } from '@app/domain';
import { type SessionId, truncate } from '@app/kernel';
import type { Palimpsest } from '@app/platform';
import { fileSource } from '../imports/source.js';
import type { GlobalOptions } from '../options.js';
import { json, print } from '../output/print.js';
import { table } from '../output/table.js';
import { projectRoot } from '../project-root.js';
import { caughtUp } from '../service/caught-up.js';
import { localService } from '../service/local-service.js';
import { erasedCustomer, erasureLines, proofLines, provedAndVerified } from './demo-proofs.js';
import { INDENT, indent, prose, WIDTH } from './demo-text.js';

const SAMPLE = 'samples/agent-session.json';
/** Tokens; the sample session crosses this window more than once. */
const WINDOW_TOKENS = 32_000;

const METERS =
  'The built-in tokenizer gives counted tokens. The provider charges for billed tokens; the sample has no bills, so billed tokens are estimates here.';

/**
 * Imports the sample session, prints the result of each step and the command that shows it again, and returns the
 * session's ID.
 */
export const tour = async (palimpsest: Palimpsest, options: GlobalOptions): Promise<string | undefined> => {
  // First, so that the sample is the newest session.
  const erased = await erasedCustomer(palimpsest, options);
  const { sessions } = await localService(palimpsest).importSource(await fileSource(projectRoot(SAMPLE)), {
    tenant: options.tenant,
    profile: 'core',
    window: WINDOW_TOKENS,
  });
  const [imported] = sessions;
  if (!imported) return undefined;
  const ref = { tenant: options.tenant, session: imported.session };
  const lifecycle = await lifecycleOf(palimpsest, ref);
  const context = await palimpsest.queries.execute(new GetContext(ref, 'anthropic'));
  const before = lifecycle.find(({ type }) => type === 'CompactionRequested');
  const full =
    before && (await palimpsest.queries.execute(new GetContext(ref, 'anthropic', before.revision)));
  await caughtUp(palimpsest);
  const audit = await palimpsest.readModels.audit({ ...ref, limit: 8 });
  const original = await countMessages(palimpsest, ref);
  const proof = await provedAndVerified(palimpsest, ref);

  const summary = {
    ...imported,
    context: { tokens: context.tokens, window: context.window, state: context.state },
  };
  if (options.json) {
    print(json({ ...summary, original, audit, proof: proof.outcome, erased }));
    return imported.session;
  }

  const steps = [
    importedText(imported),
    '',
    prose('2. At 80 % of the window a compaction replaced the older turns with a summary:'),
    '',
    indent(
      table(
        ['revision', 'event', ''],
        lifecycle.map(({ revision, type, about }) => [revision, type, about]),
      ),
    ),
    '',
    contextText(context),
    '',
    indent(beginningOf(historyIn(context.request)[0])),
    '',
    prose('4. The audit rows in PostgreSQL, newest first, contain no message text:'),
    '',
    indent(
      table(
        ['position', 'type', 'actor', 'revision'],
        audit.map((row) => [row.position, row.type, row.actor, row.revision]),
      ),
    ),
    '',
    prose(
      `5. Nothing is lost: all ${original} messages are still in the log${asBefore(before?.revision, full?.tokens)}.`,
    ),
    '',
    ...proofLines(proof),
    ...erasureLines(erased),
    'Try next:',
    ...nextSteps(imported.session, before?.revision, context.pivot, options.data).map((line) => `  ${line}`),
  ];
  print(steps.join('\n'));
  return imported.session;
};

const importedText = ({ messages, turns, toolCalls, tokens }: ImportedSession): string =>
  prose(
    `1. A recorded agent session came in: ${messages} messages in ${turns} turns, ${toolCalls} tool calls, ` +
      `${tokens} counted tokens, for a window of ${WINDOW_TOKENS}. ${METERS}`,
  );

const contextText = ({ tokens, state, request }: ContextView): string =>
  prose(
    `3. The next request: ${tokens} billed tokens (${state}), ${historyIn(request).length} messages. It begins:`,
  );

const asBefore = (revision: number | undefined, tokens: number | undefined): string =>
  revision === undefined || tokens === undefined
    ? ''
    : `, and the context as of revision ${revision}, before the first compaction, has its ${tokens} billed tokens again`;

type Ref = { readonly tenant: GlobalOptions['tenant']; readonly session: SessionId };
type Milestone = Awaited<ReturnType<typeof lifecycleOf>>[number];

const lifecycleOf = async ({ queries }: Palimpsest, ref: Ref) => {
  const found = [];
  for await (const { event, revision } of await queries.execute(new ReadSession(ref, {}))) {
    if (event.type === 'CompactionThresholdHit') {
      found.push({
        revision,
        type: event.type,
        about: `${event.data.occupancy} billed tokens of ${event.data.window}`,
      });
    }
    if (event.type === 'CompactionRequested')
      found.push({ revision, type: event.type, about: event.data.trigger });
    if (event.type === 'CompactionCompleted') {
      const { billedBefore, billedAfter, covered } = event.data;
      const about = `${billedBefore} → ${billedAfter} billed tokens, ${covered?.messages ?? 0} messages`;
      found.push({ revision, type: event.type, about });
    }
  }
  return found;
};

const countMessages = async ({ queries }: Palimpsest, ref: Ref): Promise<number> => {
  let count = 0;
  for await (const { event } of await queries.execute(new ReadSession(ref, {}))) {
    if (event.type === 'MessageAppended') count += 1;
  }
  return count;
};

const LINES = 24;
const beginningOf = (message: unknown): string => {
  const text = JSON.stringify(message) === undefined ? '' : firstText(message);
  const lines = text.split('\n');
  const shown = lines.slice(0, LINES).map((line) => truncate(line, WIDTH - INDENT));
  return [...shown, ...(lines.length > LINES ? [`… ${lines.length - LINES} more lines`] : [])].join('\n');
};
const firstText = (message: unknown): string => {
  if (typeof message !== 'object' || message === null || !('content' in message)) return '';
  const { content } = message;
  const [part]: unknown[] = Array.isArray(content) ? content : [];
  return typeof part === 'object' && part !== null && 'text' in part ? String(part.text) : '';
};

const nextSteps = (
  session: string,
  revision: Milestone['revision'] | undefined,
  compactionId: string | null,
  data: string | undefined,
): string[] => {
  const where = data === undefined ? '' : ` --data ${data}`;
  return [
    `npx palimpsest sessions${where}`,
    `npx palimpsest context ${session}${where}`,
    ...(revision === undefined ? [] : [`npx palimpsest context ${session} --as-of ${revision}${where}`]),
    ...(compactionId === null ? [] : [`npx palimpsest explain ${session} ${compactionId}${where}`]),
    `npx palimpsest what-if ${session}${where}`,
    `npx palimpsest export ${session} --proof -o session.palimpsest${where}`,
    `npx palimpsest audit --type CompactionCompleted${where}`,
    `npx palimpsest import ~/.claude/projects/*/*.jsonl --window 200k${where}   # your own`,
    `npx palimpsest demo --open${where}   # this session in a browser`,
  ];
};
