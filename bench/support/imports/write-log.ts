import { open } from 'node:fs/promises';
import { prose } from '../sessions/texts.js';

const OUTPUT_CHARACTERS = 8_000;
/** About the content of a window of 200,000 tokens. */
const COMPACTED_BYTES = 600_000;
const CALLS_IN_TURN = 12;
const TIME = '2026-06-25T01:50:34.403Z';

/** Writes a session log of Copilot CLI of about `bytes`: turns of a dozen calls each, and due compactions. */
export const writeLog = async (file: string, bytes: number): Promise<void> => {
  const handle = await open(file, 'w');
  let written = 0;
  let sinceCompaction = 0;
  for (const lines of turns()) {
    await handle.write(lines);
    written += lines.length;
    sinceCompaction += lines.length;
    if (written >= bytes) break;
    if (sinceCompaction < COMPACTED_BYTES) continue;
    await handle.write(compaction());
    sinceCompaction = 0;
  }
  await handle.close();
};

let eventCount = 0;
const line = (type: string, data: object): string => {
  eventCount += 1;
  return `${JSON.stringify({ type, data, id: `event-${eventCount}`, timestamp: TIME, parentId: null })}\n`;
};

function* turns(): Generator<string> {
  yield line('session.start', { sessionId: 'bench', version: 1, producer: 'copilot-agent' }) +
    line('session.model_change', { newModel: 'claude-sonnet-4.6' }) +
    line('system.message', { role: 'system', content: prose(0, 20_000) });
  for (let turn = 1; ; turn += 1) {
    const lines = [line('user.message', { content: prose(turn, 300), attachments: [] })];
    for (let call = 1; call <= CALLS_IN_TURN; call += 1) lines.push(callLines(turn * 100 + call));
    lines.push(
      line('assistant.message', { model: 'claude-sonnet-4.6', content: prose(turn, 800), outputTokens: 200 }),
    );
    yield lines.join('');
  }
}

const callLines = (id: number): string => {
  const toolCallId = `toolu_${id}`;
  const asked = {
    toolCallId,
    name: 'bash',
    arguments: { command: `cat src/file-${id}.ts` },
    type: 'function',
  };
  return (
    line('assistant.message', {
      model: 'claude-sonnet-4.6',
      content: '',
      toolRequests: [asked],
      reasoningText: prose(id, 200),
      reasoningOpaque: 'c2lnbmF0dXJl',
      outputTokens: 90,
    }) +
    line('tool.execution_start', { toolCallId, toolName: 'bash' }) +
    line('tool.execution_complete', {
      toolCallId,
      success: true,
      result: { content: `${id} ${prose(id, OUTPUT_CHARACTERS)}` },
    })
  );
};

const compaction = (): string =>
  line('session.compaction_start', {}) +
  line('session.compaction_complete', {
    success: true,
    summaryContent: prose(eventCount, 4_000),
    preCompactionTokens: 150_000,
    postCompactionTokens: 10_000,
  });
