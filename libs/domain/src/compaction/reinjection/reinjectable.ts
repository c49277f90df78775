import { isJsonObject, type Json, type JsonObject, Tokens } from '@app/kernel';
import {
  isToolResult,
  isToolUse,
  resultText,
  type ToolResultBlock,
  type ToolUseBlock,
} from '../../message/index.js';
import { matchesWildcard } from '../../profiles/for-model.js';
import type { Profile } from '../../profiles/profile.js';
import type { Entry } from '../../session/entry.js';
import type { Reinjected, ReinjectionSource } from '../../session/facts.js';
import { isCallAmong, type OpenSession } from '../../session/state.js';
import { filesOfCall, isRefused, pathIn } from '../files/index.js';
import type { Plan } from '../plan.js';

const SKILL_TOOLS: ReadonlySet<string> = new Set([
  'skill',
  'useskill',
  'loadskill',
  'activateskill',
  'readskill',
]);
const PLAN_TOOLS: ReadonlySet<string> = new Set([
  'todowrite',
  'writetodos',
  'updateplan',
  'exitplanmode',
  'plan',
]);
/** Names of tools are written in several ways. */
const plain = (tool: string): string => tool.toLowerCase().replace(/[^a-z]/g, '');

/**
 * Returns the content that a compaction can restore after its summary, in the order of `reinject`, newest first: the
 * newest plan, skills as last loaded, files as last read or written completely. Content that retained messages
 * contain or supersede is left out, and so are files changed since and dropped outputs. Content that the previous
 * compaction restored counts as older.
 */
export const reinjectable = (session: OpenSession, plan: Plan): readonly ReinjectionSource[] => {
  const { profile } = plan;
  if (profile.maxReinjectTokens === 0 || plan.covered.length === 0) return [];
  const found = foundIn(session, plan);
  return profile.reinject.flatMap((kind) => found.filter((one) => one.kind === kind));
};

/** Newest first, each name of a kind once. */
const foundIn = (session: OpenSession, plan: Plan): readonly ReinjectionSource[] => {
  const settled = new Set<string>();
  const isDropped = isCallAmong(session.droppedOutputs);
  const found: ReinjectionSource[] = [];
  const take = (source: ReinjectionSource | undefined): void => {
    if (!source || settled.has(keyOf(source))) return;
    settled.add(keyOf(source));
    if (source.text.trim() !== '' && isWanted(plan.profile, source)) found.push(source);
  };
  const retained = [...(plan.carried ? [plan.carried] : []), ...plan.retained];
  for (const { call, answer } of callsOf(retained))
    for (const key of overtakenBy(call, answer)) settled.add(key);
  for (const { entry, call, answer } of callsOf(plan.covered)) {
    const origin = { messageId: entry.message.id, callId: call.id };
    const source = isDropped(origin.messageId, origin.callId) ? undefined : sourceOf(call, answer);
    take(source && { ...source, ...origin });
    for (const key of overtakenBy(call, answer)) settled.add(key);
  }
  for (const { countedTokens: _, ...earlier } of session.pivot?.reinjected ?? []) take(earlier);
  return found;
};

const keyOf = ({ kind, name }: Pick<ReinjectionSource, 'kind' | 'name'>): string => `${kind} ${name}`;

type Called = {
  readonly entry: Entry;
  readonly call: ToolUseBlock;
  readonly answer: ToolResultBlock | undefined;
};

/** Returns calls with their results, newest first. Results follow their calls, so that one backward pass finds both. */
const callsOf = (entries: readonly Entry[]): readonly Called[] => {
  const answers = new Map<string, ToolResultBlock>();
  const calls: Called[] = [];
  for (let at = entries.length - 1; at >= 0; at -= 1) {
    const entry = entries[at];
    if (!entry) continue;
    for (const block of entry.message.blocks.toReversed()) {
      if (isToolResult(block)) answers.set(block.tool_use_id, block);
      else if (isToolUse(block)) {
        calls.push({ entry, call: block, answer: answers.get(block.id) });
        answers.delete(block.id); // An id may be used again by an older call.
      }
    }
  }
  return calls;
};

/** Returns the restorable content of a call; `undefined` if it is incomplete. */
const sourceOf = (
  call: ToolUseBlock,
  answer: ToolResultBlock | undefined,
): Pick<ReinjectionSource, 'kind' | 'name' | 'text'> | undefined => {
  if (!answer || isRefused(answer)) return undefined;
  const tool = plain(call.name);
  if (PLAN_TOOLS.has(tool)) return { kind: 'plan', name: 'plan', text: planText(call.input) };
  if (SKILL_TOOLS.has(tool)) return { kind: 'skills', name: skillName(call.input), text: resultText(answer) };
  const path = pathIn(call.input);
  if (path === undefined) return undefined;
  const { read, modified } = filesOfCall(call, answer);
  if (modified.includes(path)) {
    const text = wholeText(call.input);
    return text === undefined ? undefined : { kind: 'files', name: path, text };
  }
  if (!read.includes(path) || isPart(call.input)) return undefined;
  return { kind: 'files', name: path, text: resultText(answer) };
};

/**
 * Returns the keys of older content that a call supersedes: plans and skills of its name, files that it read
 * completely or changed.
 */
const overtakenBy = (call: ToolUseBlock, answer: ToolResultBlock | undefined): readonly string[] => {
  const tool = plain(call.name);
  if (answer && isRefused(answer)) return [];
  if (PLAN_TOOLS.has(tool)) return ['plan plan'];
  if (SKILL_TOOLS.has(tool)) return [`skills ${skillName(call.input)}`];
  const { read, modified } = filesOfCall(call, answer);
  const whole = isPart(call.input) ? [] : read;
  return [...modified, ...whole].map((path) => `files ${path}`);
};

/** A tool that writes a file whole is given all of it. */
const wholeText = (input: JsonObject): string | undefined => {
  const text = input.content ?? input.file_text ?? input.contents;
  return typeof text === 'string' ? text : undefined;
};

const PART_MEMBERS = ['offset', 'limit', 'view_range', 'start_line', 'end_line', 'pages', 'range'] as const;
const isPart = (input: JsonObject): boolean =>
  PART_MEMBERS.some((name) => input[name] !== undefined && input[name] !== null);

const skillName = (input: JsonObject): string => {
  const name = [input.skill, input.name, input.skill_name, input.command].find(
    (value) => typeof value === 'string' && value.trim() !== '',
  );
  return typeof name === 'string' ? name.trim().slice(0, 200) : 'skill';
};

/** The items of a plan as lines; a plan of another shape as JSON. */
const planText = (input: JsonObject): string => {
  const items = input.todos ?? input.plan ?? input.items ?? input.steps;
  if (typeof items === 'string') return items;
  if (!Array.isArray(items)) return JSON.stringify(input);
  return items.map(planLine).join('\n');
};

const planLine = (item: Json): string => {
  if (!isJsonObject(item)) return `- ${typeof item === 'string' ? item : JSON.stringify(item)}`;
  const text = item.content ?? item.step ?? item.text ?? item.title ?? item.description;
  const status = item.status ?? item.state;
  if (typeof text !== 'string') return `- ${JSON.stringify(item)}`;
  return typeof status === 'string' ? `- [${status}] ${text}` : `- ${text}`;
};

const isWanted = ({ reinjectFiles }: Profile, { kind, name }: ReinjectionSource): boolean =>
  kind !== 'files' || reinjectFiles.some((pattern) => matchesWildcard(pattern, name));

/** Restorable content with its token counts; `frame` is the size of the frame around all parts. */
export type CountedReinjection = { readonly frame: Tokens; readonly items: readonly Reinjected[] };

/** Returns the parts that fit into `room` tokens, in order. A part that does not fit is skipped. */
export const fitReinjection = (
  { frame, items }: CountedReinjection,
  room: number,
): { readonly items: readonly Reinjected[]; readonly countedTokens: Tokens } => {
  const fitting: Reinjected[] = [];
  let used: number = frame;
  for (const item of items) {
    if (used + item.countedTokens > room) continue;
    used += item.countedTokens;
    fitting.push(item);
  }
  return fitting.length === 0
    ? { items: [], countedTokens: Tokens(0) }
    : { items: fitting, countedTokens: Tokens(used) };
};
