// The engine without HTTP and without Nest: opens a session, fills its window, and gets back a request that fits.
import {
  Actor,
  AppendConversation,
  CompactionId,
  ComposeRequest,
  OpenSession,
  openPalimpsest,
  parseConfig,
  SessionId,
  TenantId,
} from 'palimpsest';

const palimpsest = await openPalimpsest(parseConfig({ PALIMPSEST_DATA: 'engine-data' }));
const { commands, outcomes } = palimpsest;
const session = { tenant: TenantId('default'), session: SessionId('notes') };
const caller = { actor: Actor('example') };

const model = { model: 'claude-sonnet-4-5', window: 32_000, profile: 'core' };
await commands.execute(
  new OpenSession(session, { ...model, systemPrompt: 'You take notes.', tools: [], labels: {} }, caller),
);
for (let turn = 1; turn <= 30; turn += 1) {
  const messages = [
    { role: 'user', blocks: [{ type: 'text', text: `Note ${turn}: keep the file src/part-${turn}.ts.` }] },
    { role: 'assistant', blocks: [{ type: 'text', text: `Noted. ${'Details follow. '.repeat(400)}` }] },
  ] as const;
  const said = new AppendConversation(session, { messages, stopReason: 'end_turn' }, caller);
  const { compactionId } = await commands.execute(said);
  if (compactionId !== null) await outcomes.outcomeOf(session, CompactionId(compactionId));
}
const next = { role: 'user', blocks: [{ type: 'text', text: 'Which files do we keep?' }] } as const;
await commands.execute(new AppendConversation(session, { messages: [next] }, caller));
const answer = await commands.execute(
  new ComposeRequest(session, { format: 'anthropic', withBody: true }, caller),
);
if (answer.outcome === 'composed') {
  console.log(`fits into the window: ${answer.occupancy < model.window}`);
  console.log(`remembers the first file: ${answer.body?.includes('src/part-1.ts')}`);
}
await palimpsest.close();
