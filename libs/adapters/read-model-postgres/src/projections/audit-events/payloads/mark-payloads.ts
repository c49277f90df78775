import { droppedOf, freedIn } from '../parts.js';
import type { Payloads } from './payloads.js';

/** Marks of permanent stages: message ids and tokens. Call ids are client text and are left out. */
export const markPayloads: Payloads<
  'ToolResultOffloaded' | 'ToolOutputsPruned' | 'ReasoningDropped' | 'SegmentCollapsed'
> = {
  ToolResultOffloaded: (data) => {
    const { messageId, tokens, freed, reason, turn, occupancyAfter } = data;
    return { messageId, tokens, freed, reason, turn, occupancyAfter };
  },
  ToolOutputsPruned: (data) => {
    const { outputs, kept, pruned, turn, occupancyAfter, imported } = data;
    const by = imported && { imported };
    return { outputs: droppedOf(outputs), kept, pruned, turn, occupancyAfter, ...by };
  },
  ReasoningDropped: (data) => {
    const { reasoning, turn, occupancyAfter } = data;
    return { messages: reasoning.length, freed: freedIn(reasoning), turn, occupancyAfter };
  },
  SegmentCollapsed: (data) => {
    const { turn, messageId, to, messages, tokens, freed, pivot, occupancyAfter } = data;
    return { turn, from: messageId, to, messages, tokens, freed, pivot, occupancyAfter };
  },
};
