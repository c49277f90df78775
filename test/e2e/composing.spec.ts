import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { JsonObject } from '@app/kernel';
import { CliFolder } from '../support/cli.js';
import type { ContextAnswer, ImportLine } from '../support/cli-shapes.js';

const SAMPLE = fileURLToPath(new URL('../../samples/agent-session.json', import.meta.url));
type Answer = JsonObject & { readonly digest: string; readonly request: JsonObject };

let folder: CliFolder;
let session: string;
beforeAll(async () => {
  folder = await CliFolder.shared();
  session = (await folder.one<ImportLine>('import', SAMPLE, '--window', '32k')).session;
});
afterAll(() => folder.remove());

const settings = (...change: string[]): Promise<unknown> => folder.one('settings', session, ...change);
const refused = async (...args: string[]) => {
  const { exitCode, stdout, stderr } = await folder.attempt(...args);
  expect(exitCode).toBe(1);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  return { stdout, stderr };
};

/** Guarantee: the command line composes the requests sent to a model, and proves them later. */
describe('composing on the command line', () => {
  it('prints the exact body with its digest, identical when repeated', async () => {
    const context = await folder.one<ContextAnswer>('context', session);
    const answer = await folder.one<Answer>('compose', session);
    expect(answer).toMatchObject({ outcome: 'composed', state: 'normal', banner: null });
    expect(JSON.stringify(answer.request)).toBe(JSON.stringify(context.request));
    expect(answer.digest).toBe(createHash('sha256').update(JSON.stringify(answer.request)).digest('hex'));
    expect(await folder.one<Answer>('compose', session)).toEqual(answer);
  });

  it('refuses with remedies that work, and allows an override for one turn with a reason', async () => {
    const { tokens } = await folder.one<ContextAnswer>('context', session);
    await settings('--set', 'mode=authorized', '--window', String(Math.floor(tokens / 0.96)));
    const plain = await refused('compose', session);
    expect(plain.stdout).toBe('');
    expect(plain.stderr).toMatch(/compact .* reset .* --override .*\[request-refused\]$/m);
    const { stdout, stderr } = await refused('compose', session, '--json');
    expect(stderr).toBe(plain.stderr);
    expect(JSON.parse(stdout)).toMatchObject({
      outcome: 'refused',
      reason: 'compaction-required',
      state: 'critical',
      remedies: expect.arrayContaining([
        expect.objectContaining({ remedy: 'compact', billedAfter: expect.any(Number) }),
        expect.objectContaining({ remedy: 'override', maxOutput: expect.any(Number) }),
      ]),
    });
    expect((await refused('compose', session, '--override')).stderr).toMatch(/\[invalid-settings\]$/m);
    const word = ['--override', '--reason', 'the last answer'];
    expect(await folder.one<Answer>('compose', session, ...word)).toMatchObject({
      outcome: 'composed',
      state: 'critical',
    });
  });

  it('appends contributions at the end, and records them by name and size', async () => {
    await settings('--window', '32k');
    const file = join(folder.data, '..', 'todo.txt');
    await writeFile(file, 'call back <em>tomorrow</em>');
    const given = ['--context', 'now=12 o’clock', '--context', `todo=@${file}`];
    const answer = await folder.one<Answer & { contributions: JsonObject[] }>('compose', session, ...given);
    expect(answer.contributions.map(({ name }) => name)).toEqual(['now', 'todo']);
    const { messages } = answer.request as { messages: JsonObject[] };
    expect(JSON.stringify(messages.at(-1))).toMatch(
      /name=\\"now\\".*12 o’clock.*name=\\"todo\\".*call back <em>/,
    );
    expect((await refused('compose', session, '--context', 'todo=@/nowhere')).stderr).toMatch(
      /\[unreadable-file\]$/m,
    );
    expect((await refused('compose', session, '--context', 'a b=x')).stderr).toMatch(
      /\[invalid-settings\]$/m,
    );
  });

  it('distinguishes overflow from rate limit, and leaves it to the caller without automatic compaction', async () => {
    const limit = ['--status', '429', '--message', 'too many tokens'];
    expect(await folder.one<JsonObject>('report-overflow', session, ...limit)).toEqual({
      session,
      outcome: 'not-an-overflow',
    });
    const overflow = ['report-overflow', session, '--message', 'prompt is too long'];
    expect((await refused(...overflow)).stderr).toMatch(/\[context-overflow\]$/m);
  });

  it('records once that the provider compacted in the same turn, names the double compaction, and sends the same request', async () => {
    const file = join(folder.data, 'answer.json');
    const edit = { type: 'clear_tool_uses_20250919', cleared_tool_uses: 8, cleared_input_tokens: 50_000 };
    await writeFile(file, JSON.stringify({ id: 'msg_1', context_management: { applied_edits: [edit] } }));
    const { request, pivot } = await folder.one<ContextAnswer>('context', session);
    const report = () => folder.one<JsonObject>('report-edits', session, '--file', file);
    expect(await report()).toMatchObject({
      session,
      edited: { responseId: 'msg_1', clearedToolUses: 8, clearedInputTokens: 50_000 },
      duplicateCompaction: {
        compactionId: pivot,
        worker: 'provider',
        provider: { clearedToolUses: 8, clearedInputTokens: 50_000, compacted: false },
      },
    });
    expect(await report()).toMatchObject({ edited: null });
    expect((await folder.one<ContextAnswer>('context', session)).request).toEqual(request);
    await writeFile(file, '{"hello":"world"}');
    expect((await refused('report-edits', session, '--file', file)).stderr).toMatch(/\[unknown-format\]$/m);
  });

  it('compacts for an overflow, composes again, and uses the ladder until it is exhausted', async () => {
    await settings('--set', 'mode=automatic', '--set', 'keepRecentTurns=1');
    const overflow = ['report-overflow', session, '--message', 'prompt is too long'];
    expect(
      await folder.one<JsonObject>('report-overflow', session, '--message', 'prompt is too long'),
    ).toMatchObject({ outcome: 'compacted' });
    expect(await folder.one<Answer>('compose', session)).toMatchObject({ outcome: 'composed' });
    for (;;) {
      const { exitCode, stderr } = await folder.attempt(...overflow);
      if (exitCode === 1) {
        expect(stderr).toMatch(
          /largest message is \S+ with \d+ billed tokens; .*newest atomic group \d+.*\[context-overflow\]$/m,
        );
        break;
      }
      expect(await folder.one<Answer>('compose', session)).toMatchObject({ ladder: {} });
    }
    const [row] = await folder.one<JsonObject[]>(
      'audit',
      '--session',
      session,
      '--type',
      'ContextOverflowed',
    );
    expect(row).toMatchObject({ payload: { reason: 'repeated-overflow' } });
  });
});
