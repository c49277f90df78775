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

/** `usual` as it is mostly, or something else in its place. */
const or = (usual: string, random: Random, share = 0.06): string =>
  chance(0.005, random) ? hugeJson(random) : chance(share, random) ? oddJson(random) : usual;

/** Arguments of a call as JSON, with names and numbers that nobody expects. */
export const argumentsJson = (random: Random): string =>
  or(
    `{${name(random)}:${name(random)},"n":${pick(ODD_NUMBERS, random)},"path":"src/a.ts","x":{${name(random)}:[${name(random)}]}}`,
    random,
  );

/** A content block as JSON. */
export const blockJson = (random: Random): string => {
  const id = or(JSON.stringify(`c${below(6, random)}`), random);
  switch (below(8, random)) {
    case 0:
    case 1:
    case 2:
      return `{"type":"text","text":${or(text(random), random)}}`;
    case 3:
      return `{"type":"tool_use","id":${id},"name":${or(chance(0.5, random) ? '"read"' : name(random), random)},"input":${argumentsJson(random)}}`;
    case 4:
      return `{"type":"tool_result","tool_use_id":${id},"content":${or(text(random), random)},"is_error":${or('false', random)}}`;
    case 5:
      return `{"type":"thinking","thinking":${text(random)},"signature":${or('"c2ln"', random)}}`;
    case 6:
      return `{"type":"image","source":{"type":"base64","media_type":"image/png","data":${or('"AAAA"', random)}}}`;
    default:
      return `{"type":${name(random)},${name(random)}:${oddJson(random)}}`;
  }
};

const contentJson = (random: Random): string =>
  or(
    chance(0.4, random)
      ? text(random)
      : `[${Array.from({ length: 1 + below(3, random) }, () => blockJson(random)).join()}]`,
    random,
  );

const turns = (random: Random, message: (role: 'user' | 'assistant', at: number) => string): string => {
  const length = 1 + below(6, random);
  const roles = Array.from({ length }, (_, at) => (at % 2 === 0 ? 'user' : 'assistant'));
  return `[${roles.map((role, at) => or(message(role, at), random, 0.03)).join()}]`;
};

/** Several messages in Anthropic's form. */
export const messagesJson = (random: Random): string =>
  turns(random, (role) => `{"role":${or(`"${role}"`, random, 0.02)},"content":${contentJson(random)}}`);

const model = (usual: string, random: Random): string =>
  chance(0.85, random) ? JSON.stringify(usual) : name(random);
const more = (random: Random): string =>
  chance(0.3, random) ? `,${name(random)}:${oddJson(random)}` : ',"stream":false';

/** A body for each wire that the gateway speaks, by the end of its path. */
export const GATEWAY_BODIES: ReadonlyMap<string, (random: Random) => string> = new Map([
  ['anthropic', (random) => anthropicBody(random)],
  ['chat/completions', (random) => chatBody(random)],
  ['responses', (random) => responsesBody(random)],
]);

const anthropicBody = (random: Random): string =>
  `{"model":${model('claude-opus-4-6', random)},"max_tokens":${or('64', random)},"system":${or(text(random), random)},
  "stream":${or(String(chance(0.3, random)), random)},"tools":${or('[{"name":"read","input_schema":{"type":"object","properties":{}}}]', random)},
  "messages":${or(messagesJson(random), random, 0.03)}${more(random)}}`;

const chatBody = (random: Random): string => {
  const messages = turns(random, (role) => {
    const call = `{"id":${or('"c1"', random)},"type":"function","function":{"name":${or('"read"', random)},"arguments":${or(JSON.stringify(argumentsJson(random)), random)}}}`;
    return role === 'assistant' && chance(0.4, random)
      ? `{"role":"assistant","content":null,"tool_calls":[${call}]},{"role":"tool","tool_call_id":"c1","content":${text(random)}}`
      : `{"role":"${role}","content":${or(text(random), random)}}`;
  });
  return `{"model":${model('gpt-5', random)},"messages":${or(messages, random, 0.03)},"stream":${chance(0.3, random)}${more(random)}}`;
};

const responsesBody = (random: Random): string => {
  const item = (): string => {
    switch (below(4, random)) {
      case 0:
        return `{"type":"function_call","call_id":"c1","name":${or('"read"', random)},"arguments":${or(JSON.stringify(argumentsJson(random)), random)}}`;
      case 1:
        return `{"type":"function_call_output","call_id":"c1","output":${or(text(random), random)}}`;
      case 2:
        return `{"type":${name(random)},${name(random)}:${oddJson(random)}}`;
      default:
        return `{"role":"user","content":${or(text(random), random)}}`;
    }
  };
  const input = chance(0.3, random) ? text(random) : `[${item()},${item()}]`;
  const before = chance(0.2, random) ? `,"previous_response_id":${name(random)}` : '';
  return `{"model":${model('gpt-5', random)},"input":${or(input, random)},"stream":${chance(0.3, random)}${before}${more(random)}}`;
};

const SAMPLES = [...transcriptSamples().values()];

/** A transcript of some format: whole, with odd names in it, or damaged. */
export const transcriptBytes = (random: Random): Buffer => {
  const sample = SAMPLES[below(SAMPLES.length, random)] ?? '';
  const kind = below(5, random);
  if (kind === 0) return mutated(Buffer.from(sample), random);
  if (kind === 1) return Buffer.from(`{"role":"user","content":"Go."}\n${hugeJson(random)}\n`);
  if (kind === 2)
    return Buffer.from(
      `{"role":"user","content":${text(random)}}\n{"role":"assistant","model":${name(random)},"content":[${blockJson(random)}],"usage":{"input_tokens":${pick(ODD_NUMBERS, random)},"output_tokens":${pick(ODD_NUMBERS, random)}}}\n`,
    );
  const odd = name(random).slice(1, -1);
  return Buffer.from(
    sample.replaceAll('Go.', CONTENT_MARK).replaceAll(kind === 3 ? '"read"' : '"x"', `"${odd}"`),
  );
};
