import { headAndTail, type MessageId } from '@app/kernel';
import { defused } from '../message/defused.js';
import { resultText, type ToolResultBlock } from '../message/index.js';
import type { OffloadedResult } from '../session/marks.js';
import { recallCall, type WayBack } from './recall/recall-tool.js';

const whereTo = (messageId: MessageId, callId: string, way: WayBack): string =>
  way === 'tool'
    ? recallCall({ call: callId })
    : `GET /v1/sessions/{session}/messages/${encodeURIComponent(messageId)}?call=${encodeURIComponent(callId)}`;

const CLOSING = '</stored-result>';

/** Returns the replacement of an offloaded result: its location and a preview. */
export const offloadedText = (
  block: ToolResultBlock,
  { messageId, callId, tokens }: OffloadedResult,
  previewTokens: number,
  way: WayBack,
): string => {
  const text = resultText(block);
  const preview = headAndTail(text, Math.floor((text.length * previewTokens) / Math.max(1, tokens)));
  return [
    `<stored-result message="${defused(messageId)}" call="${defused(callId)}" tokens="${tokens}">`,
    defused(
      `This result was too large and is stored aside, whole: ${whereTo(messageId, callId, way)}. Its beginning and its end:\n${preview}`,
    ),
    CLOSING,
  ].join('\n');
};
