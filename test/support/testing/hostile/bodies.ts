import type { Random } from '../fuzz/mutate.js';
import { mutated } from '../fuzz/mutate.js';
import { transcriptSamples } from '../fuzz/samples.js';
import {
  below,
  CONTENT_MARK,
  chance,
  hugeJson,
  ODD_NAMES,
  ODD_NUMBERS,
  oddJson,
  pick,
  textOf,
} from './values.js';

const text = (random: Random): string => JSON.stringify(textOf(random));
const name = (random: Random): string => JSON.stringify(pick(ODD_NAMES, random));

/** Generator of bodies: `share` of their places have unexpected content. */
type Wild = { readonly random: Random; readonly share: number };

/** Every other body is valid except for names and texts, so that it passes the first check. */
export const wildness = (random: Random): Wild => ({ random, share: chance(0.5, random) ? 0 : 0.06 });

/** Returns `usual` mostly, otherwise something else. */
const or = (usual: string, { random, share }: Wild): string => {
  if (share === 0) return usual;
  return chance(share / 10, random) ? hugeJson(random) : chance(share, random) ? oddJson(random) : usual;
};

/** Returns a call's arguments as JSON, with unusual names and numbers. */
export const argumentsJson = (wild: Wild): string => {
  const { random, share } = wild;
  const number = pick(share === 0 ? FINITE : ODD_NUMBERS, random);
  const inner = `{${name(random)}:[${name(random)}]}`;
  return or(`{${name(random)}:${name(random)},"n":${number},"path":"src/a.ts","x":${inner}}`, wild);
};
const FINITE = ODD_NUMBERS.filter((number) => Number.isFinite(Number(number)));

const toolName = ({ random, share }: Wild): string =>
  share > 0 && chance(0.5, random) ? name(random) : pick(['"read"', '"toString"', '"constructor"'], random);

const callJson = (wild: Wild, id: string): string =>
  `{"type":"tool_use","id":${or(id, wild)},"name":${or(toolName(wild), wild)},"input":${argumentsJson(wild)}}`;
const resultJson = (wild: Wild, id: string): string =>
  `{"type":"tool_result","tool_use_id":${or(id, wild)},"content":${or(text(wild.random), wild)}}`;

/** Returns a content block as JSON. */
export const blockJson = (wild: Wild): string => {
  const { random } = wild;
  const id = JSON.stringify(`c${below(6, random)}`);
  switch (below(8, random)) {
    case 0:
      return callJson(wild, id);
    case 1:
      return resultJson(wild, id);
    case 2:
      return `{"type":"thinking","thinking":${text(random)},"signature":${or('"c2ln"', wild)}}`;
    case 3:
      return `{"type":"image","source":{"type":"base64","media_type":"image/png","data":${or('"AAAA"', wild)}}}`;
    case 4:
      return `{"type":${name(random)},${name(random)}:${oddJson(random)}}`;
    default:
      return `{"type":"text","text":${or(text(random), wild)}}`;
  }
};

const contentJson = (wild: Wild): string => {
  const { random } = wild;
  if (wild.share === 0 || chance(0.4, random)) return or(text(random), wild);
  return or(`[${Array.from({ length: 1 + below(3, random) }, () => blockJson(wild)).join()}]`, wild);
};

/** Returns several messages in Anthropic's form, mostly with calls and their results. */
export const messagesJson = (wild: Wild): string => {
  const { random } = wild;
  const rounds = Array.from({ length: below(4, random) }, (_, at) => {
    const id = JSON.stringify(`c-${at}-${below(1_000_000, random)}`);
    if (chance(0.5, random))
      return `{"role":${or('"assistant"', wild)},"content":${contentJson(wild)}},{"role":"user","content":${contentJson(wild)}}`;
    return `{"role":"assistant","content":[${callJson(wild, id)}]},{"role":"user","content":[${resultJson(wild, id)}]}`;
  });
  return `[${[`{"role":"user","content":${contentJson(wild)}}`, ...rounds].join()}]`;
};

const model = (usual: string, { random, share }: Wild): string =>
  share === 0 || chance(0.85, random) ? JSON.stringify(usual) : name(random);
const more = ({ random, share }: Wild): string =>
  share > 0 && chance(0.4, random) ? `,${name(random)}:${oddJson(random)}` : '';

/** A body generator per wire format of the gateway, by a part of its path. */
export const GATEWAY_BODIES: ReadonlyMap<string, (wild: Wild) => string> = new Map([
  ['anthropic', (wild) => anthropicBody(wild)],
  ['chat/completions', (wild) => chatBody(wild)],
  ['responses', (wild) => responsesBody(wild)],
]);

const isStream = (wild: Wild): string => or(String(chance(0.3, wild.random)), wild);

const anthropicBody = (wild: Wild): string => {
  const tools = or('[{"name":"read","input_schema":{"type":"object","properties":{}}}]', wild);
  return `{"model":${model('claude-opus-4-6', wild)},"max_tokens":${or('64', wild)},"system":${or(text(wild.random), wild)},
  "stream":${isStream(wild)},"tools":${tools},"messages":${or(messagesJson(wild), wild)}${more(wild)}}`;
};

/** Returns calls and results in the form of Chat Completions. */
const chatBody = (wild: Wild): string => {
  const { random } = wild;
  const rounds = Array.from({ length: below(4, random) }, (_, at) => {
    const id = or(`"c${at}"`, wild);
    const called = `{"name":${or(toolName(wild), wild)},"arguments":${or(JSON.stringify(argumentsJson(wild)), wild)}}`;
    return chance(0.5, random)
      ? `{"role":"assistant","content":null,"tool_calls":[{"id":${id},"type":"function","function":${called}}]},{"role":"tool","tool_call_id":${id},"content":${or(text(random), wild)}}`
      : `{"role":"assistant","content":${or(text(random), wild)}},{"role":"user","content":${or(text(random), wild)}}`;
  });
  const messages = `[${[`{"role":"user","content":${or(text(random), wild)}}`, ...rounds].join()}]`;
  return `{"model":${model('gpt-5', wild)},"messages":${or(messages, wild)},"stream":${isStream(wild)}${more(wild)}}`;
};

const responsesBody = (wild: Wild): string => {
  const { random, share } = wild;
  const rounds = Array.from({ length: below(3, random) }, (_, at) => {
    const given = or(JSON.stringify(argumentsJson(wild)), wild);
    return `{"type":"function_call","call_id":"c${at}","name":${or(toolName(wild), wild)},"arguments":${given}},{"type":"function_call_output","call_id":"c${at}","output":${or(text(random), wild)}}`;
  });
  const odd = share > 0 && chance(0.3, random) ? [`{"type":${name(random)},${name(random)}:1}`] : [];
  const items = [`{"role":"user","content":${or(text(random), wild)}}`, ...rounds, ...odd];
  const input = chance(0.3, random) ? text(random) : `[${items.join()}]`;
  const before = share > 0 && chance(0.2, random) ? `,"previous_response_id":${name(random)}` : '';
  return `{"model":${model('gpt-5', wild)},"input":${or(input, wild)},"stream":${isStream(wild)}${before}${more(wild)}}`;
};

const SAMPLES = [...transcriptSamples().values()];

/** Returns a transcript of some format: valid, with odd names, or damaged. */
export const transcriptBytes = (random: Random): Buffer => {
  const sample = SAMPLES[below(SAMPLES.length, random)] ?? '';
  const kind = below(5, random);
  if (kind === 0) return mutated(Buffer.from(sample), random);
  if (kind === 1) return Buffer.from(`{"role":"user","content":"Go."}\n${hugeJson(random)}\n`);
  if (kind === 2)
    return Buffer.from(
      `{"role":"user","content":${text(random)}}\n{"role":"assistant","model":${name(random)},"content":[${blockJson({ random, share: 0.06 })}],"usage":{"input_tokens":${pick(ODD_NUMBERS, random)},"output_tokens":${pick(ODD_NUMBERS, random)}}}\n`,
    );
  const odd = name(random).slice(1, -1);
  return Buffer.from(
    sample.replaceAll('Go.', CONTENT_MARK).replaceAll(kind === 3 ? '"read"' : '"x"', `"${odd}"`),
  );
};
