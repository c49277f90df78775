import type { Profile } from '../profile.js';

/** The default: compacts by itself at four fifths of the window and keeps the last four turns. */
export const core: Profile = {
  name: 'core',
  description: 'Compacts automatically at 80 % of the window; the last 4 turns stay, the rest is summarized.',
  mode: 'automatic',
  warnAt: 0.8,
  triggerAt: 0.8,
  requireAt: 0.95,
  blockAt: 0.98,
  targetShare: 0.6,
  gainShare: 0.9,
  keepRecentTurns: 4,
  protection: 'yields',
  outputCap: 8_192,
  outputShare: 0.2,
  summaryTokensMax: 8_000,
  summaryShare: 0.1,
  stages: ['summarize'],
  toolOutputs: 'summarized',
  reasoning: 'summarized',
  summarizer: 'extractive',
  attemptsMax: 3,
  breakerAfter: 3,
  unknownWindow: 200_000,
};
