import type { Placed, Tail } from '@app/domain';

/**
 * What a reader of the log would hand to `rebuild`: the newest compaction, what stands from its cut up to it, and
 * what came after. Nothing else of the stream is in it.
 */
export const tailOf = (stream: readonly Placed[]): Tail => {
  const at = stream.findLastIndex(({ event }) => event.type === 'CompactionCompleted');
  const newest = stream[at];
  if (newest?.event.type !== 'CompactionCompleted') return { pivot: undefined, after: stream };
  return {
    pivot: {
      completed: newest.event,
      revision: newest.revision,
      before: stream.slice(newest.event.data.cut.revision, at),
    },
    after: stream.slice(at + 1),
  };
};
