import { NanoUsd, Tokens } from '@app/kernel';
import type { Evidence, ModelRecord, Rates } from '../record.js';

export const evidence: Evidence = { source: 'the test', asOf: '2026-11-21', confidence: 'high' };
export const rates = (input: number, output: number, cacheRead?: number): Rates => ({
  input: NanoUsd(input),
  output: NanoUsd(output),
  ...(cacheRead !== undefined && { cacheRead: NanoUsd(cacheRead) }),
});
export const model = (id: string, facts: Partial<ModelRecord> = {}): ModelRecord => ({
  id,
  vendor: 'somebody',
  aliases: [],
  window: Tokens(200_000),
  lifecycle: 'active',
  prices: [],
  evidence,
  origin: 'shipped',
  ...facts,
});
