import type { Revision } from '@app/kernel';
import type { SessionEvent } from '../../session/events.js';
import type { ListGrowth } from '../../session/grow.js';
import type { Freeing } from '../../session/marks.js';
import { voided } from '../../session/request-parts.js';
import type { OpenSession } from '../../session/state.js';

export type MarkChange = Extract<
  SessionEvent,
  { readonly type: 'ToolResultOffloaded' | 'ToolOutputsPruned' | 'ReasoningDropped' | 'SegmentCollapsed' }
>;

/** Folds a durable mark into the state: the messages stay, requests carry less of them. */
export const changeMarks = (
  state: OpenSession,
  revision: Revision,
  event: MarkChange,
  grow: ListGrowth,
): OpenSession => {
  const { marks } = state;
  switch (event.type) {
    case 'ToolResultOffloaded': {
      const { turn: _, occupancyAfter: __, ...result } = event.data;
      const offloaded = grow(marks.offloaded, [result]);
      return lighter({ ...state, marks: { ...marks, offloaded } }, [result], revision);
    }
    case 'ToolOutputsPruned': {
      const outputs = event.data.outputs.map((output) => ({ ...output, by: 'prune' as const }));
      return lighter({ ...state, droppedOutputs: grow(state.droppedOutputs, outputs) }, outputs, revision);
    }
    case 'ReasoningDropped': {
      const { reasoning } = event.data;
      const droppedReasoning = grow(marks.droppedReasoning, reasoning);
      return lighter({ ...state, marks: { ...marks, droppedReasoning } }, reasoning, revision);
    }
    case 'SegmentCollapsed': {
      const { pivot: _, occupancyAfter: __, ...segment } = event.data;
      const collapsed = grow(marks.collapsed, [segment]);
      return lighter({ ...state, marks: { ...marks, collapsed } }, [segment], revision);
    }
  }
};

/** Earlier bills are for larger requests. */
const lighter = (state: OpenSession, news: readonly Freeing[], revision: Revision): OpenSession => ({
  ...state,
  entriesTokens: state.entriesTokens - news.reduce((sum, { freed }) => sum + freed, 0),
  usage: undefined,
  requests: voided(state.requests),
  epochSince: revision,
});
