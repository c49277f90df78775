import { isJsonObject, type Json, type JsonObject } from '@app/kernel';
import { isChatMessage } from '../chat/is-chat-message.js';
import { listIn, objectIn, stringIn } from '../drafts/members.js';
import type { Recognition } from '../format.js';

/** Whether `value` is a trajectory of SWE-agent (a `.traj`), or of mini-SWE-agent. */
export const recognizeSweAgent = (value: Json): Recognition =>
  isJsonObject(value) && (isTrajectory(value) || isMini(value)) ? 'certain' : 'no';

/** Recognizes steps with action and observation; the messages are in the history, if there is one. */
const isTrajectory = (document: JsonObject): boolean =>
  (listIn(document, 'trajectory') ?? []).some((step) => isStep(step) || isTurn(step)) ||
  (isStats(objectIn(document, 'info') ?? {}) && (listIn(document, 'history') ?? []).some(isChatMessage));

export const isStep = (step: Json): step is JsonObject =>
  isJsonObject(step) && typeof step.action === 'string' && 'observation' in step && !('args' in step);

/** Returns whether a message has the form of tables of trajectories. */
export const isTurn = (turn: Json): turn is JsonObject =>
  isJsonObject(turn) && TURN_ROLES.has(String(turn.role)) && 'text' in turn && 'system_prompt' in turn;
const TURN_ROLES = new Set(['system', 'user', 'ai']);

const isMini = (document: JsonObject): boolean =>
  stringIn(document, 'trajectory_format')?.startsWith('mini-swe-agent') === true ||
  (isStats(objectIn(document, 'info') ?? {}) && (listIn(document, 'messages') ?? []).some(isChatMessage));

const isStats = (info: JsonObject): boolean => 'model_stats' in info;
