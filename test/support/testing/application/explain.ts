import { ExplainCompaction, ExplainCompactionHandler } from '@app/application';
import type { CompactionExplanation, Explanation } from '@app/contract';
import { CompactionId } from '@app/kernel';
import type { Application } from './open-application.js';
import { requestCompaction, sessionRef } from './play-session.js';

/** Returns the explanation of a compaction, reset or fork. */
export const explain = (
  { sessions, log, models }: Application,
  id: string,
  ref = sessionRef(),
): Promise<Explanation> =>
  new ExplainCompactionHandler({ sessions, log, models }).execute(
    new ExplainCompaction(ref, CompactionId(id)),
  );

/** Returns the explanation of a compaction. */
export const explainCompaction = async (
  application: Application,
  id: string,
): Promise<CompactionExplanation> => {
  const explanation = await explain(application, id);
  if (explanation.kind !== 'compaction') throw new Error(`${id} is a ${explanation.kind}`);
  return explanation;
};

/** Compacts the session `some` with summaries that pass every check. */
export const compactNow = async (application: Application): Promise<CompactionId> => {
  const { compactionId } = await requestCompaction(application, sessionRef());
  await application.runner('w1').run(sessionRef(), compactionId, 'cause', new AbortController().signal);
  return compactionId;
};
