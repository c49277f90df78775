import { TRIGGERS, WIRE_FORMATS } from '@app/domain';
import { LIMITS } from '@app/kernel';
import { z } from 'zod';
import { call, droppedOutput as dropped, marks } from './mark-schemas.js';
import { protection } from './protection-schemas.js';
import { calibration, hold, jsonObject, ladderUse, openingParts, rung } from './request-schemas.js';
import { id, ofSubjects, text, tokens } from './values.js';

/** The name of a model, as long as an index of the read models can hold it. */
export const modelName = text.max(LIMITS.modelName.max);
/** A block whose names are as long as its entrances let them be. */
const block = jsonObject.refine(
  ({ type, id: called, name, tool_use_id: answered }) =>
    (type !== 'tool_use' || (isWithin(called, LIMITS.callId.max) && isWithin(name, LIMITS.toolName.max))) &&
    (type !== 'tool_result' || isWithin(answered, LIMITS.callId.max)),
);
const isWithin = (name: unknown, max: number): boolean => typeof name === 'string' && name.length <= max;
export const message = z.object({
  ...ofSubjects,
  id,
  role: z.enum(['user', 'assistant', 'system']),
  blocks: z.array(block),
  model: modelName.optional(),
  createdAt: text.optional(),
  synthetic: z.enum(['continuation', 'restated']).optional(),
  reasoning: z.literal('disposable').optional(),
  clientHas: z.enum(['nothing', 'another-form']).optional(),
  inserted: z.array(z.int().min(0)).optional(),
});
export const limits = z.object({
  window: tokens,
  windowSource: z.enum(['given', 'model', 'assumed']),
  maxOutput: tokens.optional(),
  inputLimit: tokens.optional(),
});
export const pin = z.object({
  ...ofSubjects,
  pinId: id,
  kind: z.enum(['constraint', 'mandate', 'children', 'plan']),
  text,
  tokens,
});
export const profile = z.looseObject({
  name: id.max(LIMITS.profileName.max),
  mode: z.enum(['automatic', 'authorized', 'off']),
  stages: z.array(id),
});
export const trigger = z.enum(TRIGGERS);
export const cut = z.object({ messageId: id, revision: z.int().min(0) });
export const summarizer = z.object({
  name: id,
  model: modelName.optional(),
  promptVersion: text,
  deterministic: z.boolean(),
});
export const error = z.object({ rule: id, detail: text, permanent: z.literal(true).optional() });
export const crossing = z.object({
  occupancy: tokens,
  threshold: tokens,
  window: tokens,
  turn: z.int(),
  contributed: tokens.optional(),
});
const entry = z.object({
  message,
  revision: z.int().min(0),
  tokens,
  blockTokens: z.array(tokens),
  turn: z.int(),
  position: z.int(),
});
/** Description of a session. */
export const description = z.object({
  ...ofSubjects,
  title: text.optional(),
  project: text.optional(),
  labels: z.record(z.string(), text),
  customer: id.optional(),
});
export const opened = z.object({
  ...description.shape,
  tenantId: id,
  sessionId: id,
  model: modelName,
  limits,
  profile,
  systemPrompt: text,
  tools: z.array(jsonObject),
  fixedTokens: tokens,
  parentSessionId: id.optional(),
  agent: text.optional(),
  subjectsApplyTo: z.literal('opening').optional(),
  openedAt: text.optional(),
});
const measured = z.object({ position: z.int().min(0), billed: tokens, freed: tokens.optional() });
/** A request, as needed for its usage. */
const request = z.object({
  requestId: id,
  revision: z.int().min(0),
  messages: z.int().min(0),
  contributed: tokens,
  omittedTokens: tokens,
  rung: rung.optional(),
  isVoid: z.boolean(),
  isBilled: z.boolean(),
});
export const opening = z.object({
  opened,
  description: description.optional(),
  model: modelName,
  limits,
  profile,
  parts: openingParts.optional(),
  leadingSystem: z.array(entry),
  carried: entry.optional(),
  messagesBefore: z.int(),
  turnAtCut: z.int(),
  abandonedCalls: z.array(call),
  droppedOutputs: z.array(dropped),
  marks: marks.optional(),
  turnCompleted: z.int(),
  pins: z.array(pin).optional(),
  hold: hold.optional(),
  protection: protection.optional(),
  messages: z.int().optional(),
  lastEditedResponseId: id.optional(),
  contributed: tokens.optional(),
  ladder: ladderUse.optional(),
  calibrations: z.array(calibration).optional(),
  measured: z.array(measured).optional(),
  requests: z.array(request).optional(),
  lastBilledMessageId: id.optional(),
  unreplayableReasoning: z.array(id).optional(),
  format: z.enum(WIRE_FORMATS).optional(),
  compactionIdCount: z.int().min(0).optional(),
  compactionsWithoutProgress: z.int().min(1).optional(),
  failures: z.int().min(1).optional(),
  compactions: z.int(),
  countedSaved: tokens.optional(),
});
