import {
  caller,
  goodResult,
  notingHook as hook,
  openApplication,
  requestedCompaction,
  ScriptedSummarizer,
  sessionRef,
} from '@app/testing';
import { GetContext, GetContextHandler } from '../../queries/get-context.js';

const ref = sessionRef();
const never = () => new AbortController().signal;

describe('a hook after a compaction', () => {
  // Holds rule 5.25.
  it('receives the outcome with the summary', async () => {
    const { application, id } = await requestedCompaction();
    const { hook: mine, outcomes } = hook();
    await application.runner('w1', new ScriptedSummarizer(), mine).run(ref, id, 'cause', never());
    const [facts, content] = outcomes;
    expect(facts).toMatchObject({ compactionId: id, worker: 'w1', attempt: 1, covered: { messages: 16 } });
    expect(JSON.stringify(facts)).not.toContain('Finish everything');
    expect(content).toEqual({ summary: goodResult().text });
  });

  // Holds rule 5.25.
  it('receives a failure as its rule only', async () => {
    const { application, id } = await requestedCompaction();
    const fail = (): never => {
      throw new RangeError('a secret');
    };
    const { hook: mine, heard, outcomes } = hook();
    await application
      .runner('w1', new ScriptedSummarizer(fail, fail, fail), mine)
      .run(ref, id, 'cause', never());
    expect(heard).toEqual(['before', 'failed']);
    expect(outcomes).toEqual([
      { tenantId: 'acme', sessionId: 'some', compactionId: id, attempts: 3, rule: 'summarizer' },
    ]);
  });

  // Holds rule 5.27.
  it('does not affect the outcome when it fails', async () => {
    const { application, id } = await requestedCompaction();
    const { hook: mine } = hook('mine', { after: () => Promise.reject(new RangeError()) });
    const outcome = await application
      .runner('w1', new ScriptedSummarizer(), mine)
      .run(ref, id, 'cause', never());
    expect(outcome).toBe('ended');
    expect(application.hookProblems).toMatchObject([{ name: 'RangeError' }]);
    const { request } = await new GetContextHandler(application).execute(new GetContext(ref, 'anthropic'));
    expect(JSON.stringify(request)).toContain('Finish everything.');
  });

  it('is called by the next worker if the first one died before the call', async () => {
    const { application, id } = await requestedCompaction();
    await application.runner('w1').run(ref, id, 'cause', never());
    const { hook: mine, heard, outcomes } = hook();
    const other = openApplication(application);
    await other.runner('w2', new ScriptedSummarizer(), mine).run(ref, id, 'cause', never());
    expect(heard).toEqual(['after']);
    expect(outcomes[0]).toMatchObject({ compactionId: id, worker: 'w1' });
  });

  it('is called by the worker whose result is in force and not by a late one', async () => {
    const { application, id } = await requestedCompaction();
    const [slow, quick] = [hook('slow'), hook('quick')];
    const other = openApplication(application);
    const late = new ScriptedSummarizer(async () => {
      await other.runner('w2', new ScriptedSummarizer(), quick.hook).run(ref, id, 'cause', never());
      return goodResult();
    });
    await application.runner('w1', late, slow.hook).run(ref, id, 'cause', never());
    expect(quick.heard).toEqual(['before', 'after']);
    expect(slow.heard).toEqual(['before']);
  });

  it('is not called for a compaction that never started', async () => {
    const { application, id } = await requestedCompaction();
    await application.sessions.execute(
      ref,
      { type: 'CancelCompaction', data: { sessionId: ref.session, compactionId: id, reason: 'enough' } },
      caller,
    );
    const { hook: mine, heard } = hook();
    await application.runner('w1', new ScriptedSummarizer(), mine).run(ref, id, 'cause', never());
    expect(heard).toEqual([]);
  });
});
