import type { SessionEvent } from '@app/domain';
import type { JsonObject } from '@app/kernel';
import { droppedOf, freedIn } from './parts.js';

/** What a durable stage has marked. */
export type Mark = Extract<
  SessionEvent,
  { readonly type: 'ToolResultOffloaded' | 'ToolOutputsPruned' | 'ReasoningDropped' | 'SegmentCollapsed' }
>;

const TYPES: Readonly<Record<Mark['type'], true>> = {
  ToolResultOffloaded: true,
  ToolOutputsPruned: true,
  ReasoningDropped: true,
  SegmentCollapsed: true,
};
export const isMark = (event: SessionEvent): event is Mark => Object.hasOwn(TYPES, event.type);

/** Of marks: ids and tokens. The ids of calls are the caller's own words, and stay out. */
export const markPayload = ({ type, data }: Mark): JsonObject => {
  switch (type) {
    case 'ToolResultOffloaded': {
      const { messageId, tokens, freed, because, turn, occupancyAfter } = data;
      return { messageId, tokens, freed, because, turn, occupancyAfter };
    }
    case 'ToolOutputsPruned': {
      const { outputs, kept, pruned, turn, occupancyAfter } = data;
      return { outputs: droppedOf(outputs), kept, pruned, turn, occupancyAfter };
    }
    case 'ReasoningDropped': {
      const { reasoning, turn, occupancyAfter } = data;
      return { messages: reasoning.length, freed: freedIn(reasoning), turn, occupancyAfter };
    }
    case 'SegmentCollapsed': {
      const { turn, messageId, to, messages, tokens, freed, pivot, occupancyAfter } = data;
      return { turn, from: messageId, to, messages, tokens, freed, pivot, occupancyAfter };
    }
  }
};
