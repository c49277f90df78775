import { randomBytes } from 'node:crypto';
import {
  ExportProof,
  FindSubjects,
  OpenSession,
  ReadSession,
  RequestErasure,
  type SessionRef,
} from '@app/application';
import { Actor, SessionId, truncate } from '@app/kernel';
import type { Palimpsest } from '@app/platform';
import { type Report, verifyBundle } from '@app/proof';
import type { GlobalOptions } from '../options.js';
import { table } from '../output/table.js';
import { countText } from '../output/value-text.js';
import { replayBundle } from '../proofs/replay-bundle.js';
import { indent, prose, WIDTH } from './demo-text.js';

/** Exports the proof of a session and verifies it as an auditor who has only the file. */
export const provedAndVerified = async ({ queries }: Palimpsest, ref: SessionRef): Promise<Report> => {
  let bundle = '';
  for await (const part of await queries.execute(new ExportProof(ref, { content: 'clear' }))) bundle += part;
  return verifyBundle(new TextEncoder().encode(bundle), { replay: replayBundle });
};

/** The columns before the detail of a step. */
const STEP_WIDTH = 33;

/** Returns the lines of the demo about a verified proof. */
export const proofLines = ({ outcome, steps }: Report): readonly string[] => [
  prose(
    `6. The session can be proved. Its proof is one file, verified here as an auditor does it, without the service: ${outcome.toUpperCase()}.`,
  ),
  '',
  indent(
    table(
      ['step', '', ''],
      steps.map(({ step, status, detail }) => [step, status, truncate(detail, WIDTH - STEP_WIDTH)]),
    ),
  ),
  '',
];

const CUSTOMER = 'customer-42';
const PROMPT = 'The caller is Ada Example, 555-0199.';

/** Opens a session with content of a customer, erases the customer, and proves the session before and afterwards. */
export const erasedCustomer = async (palimpsest: Palimpsest, { tenant }: GlobalOptions) => {
  const { commands, queries } = palimpsest;
  const caller = { actor: Actor('demo') };
  const ref = { tenant, session: SessionId(`demo-erasure-${randomBytes(4).toString('hex')}`) };
  await commands.execute(
    new OpenSession(
      ref,
      {
        ...{ model: 'claude-opus-4-6', profile: 'core', systemPrompt: PROMPT, tools: [], labels: {} },
        subjects: await queries.execute(new FindSubjects(tenant, [CUSTOMER])),
      },
      caller,
    ),
  );
  const before = await promptAndProof(palimpsest, ref);
  const { receipt } = await commands.execute(
    new RequestErasure(
      tenant,
      { target: { scope: 'subject', subject: CUSTOMER }, reason: 'Demo: a request to be erased' },
      caller,
    ),
  );
  const after = await promptAndProof(palimpsest, ref);
  return { before, after, keys: receipt?.counts.keys ?? 0, durationMs: receipt?.durationMs ?? 0 };
};

const promptAndProof = async (palimpsest: Palimpsest, ref: SessionRef) => {
  let text = '';
  for await (const { event } of await palimpsest.queries.execute(new ReadSession(ref, {})))
    if (event.type === 'SessionOpened') text = event.data.systemPrompt;
  const { outcome } = await provedAndVerified(palimpsest, ref);
  return { text: text === '' ? '(erased)' : text, outcome };
};

/** Returns the lines of the demo about an erasure. */
export const erasureLines = ({
  before,
  after,
  keys,
}: Awaited<ReturnType<typeof erasedCustomer>>): readonly string[] => [
  prose(
    `7. A person can be erased. A second session began with a line about a customer; \`erase --subject\` destroyed ${countText(keys, 'key')}:`,
  ),
  '',
  indent(
    table(
      ['', 'system prompt', 'proof'],
      [
        ['before', before.text, before.outcome.toUpperCase()],
        ['after', after.text, after.outcome.toUpperCase()],
      ],
    ),
  ),
  '',
];
