import { createReadStream, existsSync, readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { extractiveSummarizer } from '@app/adapters/summarizer-extractive';
import { GetContext, GetContextHandler, type SessionRef } from '@app/application';
import { historyIn, type SessionEvent, WIRE_FORMATS } from '@app/domain';
import { openTranscript } from '@app/formats';
import { isJsonObject, type JsonObject, Revision, TenantId } from '@app/kernel';
import {
  type Application,
  caller,
  openApplication,
  openMemoryLog,
  quarterCounter,
  recordedEvents,
  withWorker,
} from '@app/testing';
import { anthropicRefusal, openAiChatRefusal, openAiResponsesRefusal } from '@app/testing/providers';

const folder = resolve(process.env.PALIMPSEST_TRANSCRIPTS ?? '../shared/transcripts');
const KINDS = [
  ...['claude-code', 'pi', 'codex', 'opencode', 'gemini-cli', 'copilot-cli', 'openhands'],
  ...['openai-messages', 'anthropic-messages'],
];
const files = KINDS.flatMap((kind) =>
  existsSync(join(folder, kind))
    ? readdirSync(join(folder, kind)).map((name) => join(folder, kind, name))
    : [],
);

// All combinations run with PALIMPSEST_FULL_MATRIX=1; by default each file is played at the smallest window and at
// one other.
const ALL = [8_000, 32_000, 200_000].flatMap((window) =>
  ['core', 'deterministic'].map((profile) => ({ window, profile })),
);
const isFull = process.env.PALIMPSEST_FULL_MATRIX === '1';
const cases = files.flatMap((file, at) =>
  ALL.filter((_, which) => isFull || which === at % 2 || which === 2 + (at % 4)).map((one) => ({
    ...one,
    file,
    name: basename(file),
  })),
);
/** The full matrix checks every fifth request. */
const EVERY = 5;
const tenant = TenantId('acme');

/** Guarantee: every provider accepts the contexts of an imported transcript, including its own compactions. */
(files.length > 0 ? describe : describe.skip)('contexts of an imported session', () => {
  // Holds rule 11.14.
  it.each(cases)(
    'are accepted by every provider: $name at $window under $profile',
    async ({ file, window, profile }) => {
      const application = openApplication(openMemoryLog());
      const { sessions } = await withWorker(
        application,
        () => importFile(application, file, window, profile),
        extractiveSummarizer(quarterCounter),
      );
      for (const { session } of sessions) {
        const ref = { tenant, session };
        const events = await recordedEvents(application.log, ref);
        for (const revision of revisionsToLookAt(events))
          expect(await refusalsAt(application, ref, revision)).toEqual([]);
        await expectFits(application, ref, events);
      }
    },
  );
});

const importFile = async (application: Application, file: string, window: number, profile: string) => {
  const { format, items } = await openTranscript(createReadStream(file), { name: basename(file) });
  const result = await application.importer.import(format, items, { tenant, profile, window }, caller);
  expect(result.skipped).toEqual([]);
  return result;
};

/** Returns the revisions of requests: the first one after each compaction of the transcript, and the last one. */
const revisionsToLookAt = (events: readonly SessionEvent[]): readonly Revision[] => {
  const asked = events.flatMap((_, at) => {
    const answer = events[at + 1];
    return answer?.type === 'MessageAppended' && answer.data.message.role === 'assistant' ? [at] : [];
  });
  if (isFull) return asked.filter((_, at) => at % EVERY === 0 || at === asked.length - 1).map(Revision);
  const imported = events.flatMap((event, at) =>
    event.type === 'CompactionCompleted' && event.data.imported ? (asked.find((one) => one > at) ?? []) : [],
  );
  return [...new Set([...imported, ...asked.slice(-1)])].map(Revision);
};

const JUDGES = {
  anthropic: { judge: anthropicRefusal, model: 'claude-opus-4-1' },
  'openai-chat': { judge: openAiChatRefusal, model: 'gpt-5' },
  'openai-responses': { judge: openAiResponsesRefusal, model: 'gpt-5' },
} as const;

const refusalsAt = async ({ sessions }: Application, ref: SessionRef, asOf: Revision) => {
  const handler = new GetContextHandler({ sessions });
  const views = await Promise.all(
    WIRE_FORMATS.map((format) => handler.execute(new GetContext(ref, format, asOf))),
  );
  return views.flatMap(({ format, request, violations }) => {
    if (historyIn(request).length === 0) return [];
    const { judge, model } = JUDGES[format];
    return [...violations, judge(bodyOf(request, model)) ?? []].flat().map((fault) => ({ format, fault }));
  });
};

/** Replaces the model by one that the validator knows, since the recorded one is not under test. */
const bodyOf = (request: object, model: string): JsonObject => {
  const body: unknown = JSON.parse(JSON.stringify({ ...request, model }));
  if (!isJsonObject(body)) throw new Error('a request is an object');
  return body;
};

/** Expects the context to be within its window, or the newest skip to name the parts that are too large. */
const expectFits = async ({ sessions }: Application, ref: SessionRef, events: readonly SessionEvent[]) => {
  const { tokens, window } = await new GetContextHandler({ sessions }).execute(
    new GetContext(ref, 'anthropic'),
  );
  if (tokens <= window) return;
  const skipped = events.flatMap((event) => (event.type === 'CompactionSkipped' ? [event.data.reason] : []));
  expect(skipped.at(-1)).toMatchObject({ rule: 'floor-too-high', parts: expect.any(Array) });
};
