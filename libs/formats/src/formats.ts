import { readAnthropicMessages } from './anthropic-messages/read.js';
import { recognizeAnthropicMessages } from './anthropic-messages/recognize.js';
import { readClaudeCode } from './claude-code/read.js';
import { recognizeClaudeCode } from './claude-code/recognize.js';
import { readCodex } from './codex/read.js';
import { recognizeCodex } from './codex/recognize.js';
import { readCopilotCli } from './copilot-cli/read.js';
import { recognizeCopilotCli } from './copilot-cli/recognize.js';
import type { FormatReader } from './format.js';
import { readGeminiCli } from './gemini-cli/read.js';
import { recognizeGeminiCli } from './gemini-cli/recognize.js';
import { readOpenAiMessages } from './openai-messages/read.js';
import { recognizeOpenAiMessages } from './openai-messages/recognize.js';
import { readOpenAiResponses } from './openai-responses/read.js';
import { recognizeOpenAiResponses } from './openai-responses/recognize.js';
import { readOpenCode } from './opencode/read.js';
import { recognizeOpenCode } from './opencode/recognize.js';
import { readOpenHands } from './openhands/read.js';
import { recognizeOpenHands } from './openhands/recognize.js';
import { readPi } from './pi/read.js';
import { recognizePi } from './pi/recognize.js';
import { readSweAgent } from './swe-agent/read.js';
import { recognizeSweAgent } from './swe-agent/recognize.js';

/** Every format that can be read. Where two recognize a value, the one that is certain has it. */
export const FORMATS = [
  { name: 'claude-code', recognize: recognizeClaudeCode, read: readClaudeCode },
  { name: 'pi', recognize: recognizePi, read: readPi },
  { name: 'codex', recognize: recognizeCodex, read: readCodex },
  { name: 'opencode', recognize: recognizeOpenCode, read: readOpenCode },
  { name: 'gemini-cli', recognize: recognizeGeminiCli, read: readGeminiCli },
  { name: 'copilot-cli', recognize: recognizeCopilotCli, read: readCopilotCli },
  { name: 'openhands', recognize: recognizeOpenHands, read: readOpenHands },
  { name: 'swe-agent', recognize: recognizeSweAgent, read: readSweAgent },
  { name: 'openai-responses', recognize: recognizeOpenAiResponses, read: readOpenAiResponses },
  { name: 'anthropic-messages', recognize: recognizeAnthropicMessages, read: readAnthropicMessages },
  { name: 'openai-messages', recognize: recognizeOpenAiMessages, read: readOpenAiMessages },
] as const satisfies readonly FormatReader[];
export type Format = (typeof FORMATS)[number];
export type TranscriptFormat = Format['name'];
