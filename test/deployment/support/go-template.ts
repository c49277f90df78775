/**
 * The part of Go's text/template that the chart uses: if, range, with, define, variables, pipelines and calls, with
 * whitespace control. Rejects everything else, so that the chart cannot use what this does not render.
 */
export type TemplateFunction = (...values: never[]) => unknown;
type Data = unknown;
type Scope = { readonly root: Data; readonly variables: Map<string, Data> };
type Node =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'print'; readonly pipeline: string }
  | { readonly kind: 'set'; readonly name: string; readonly pipeline: string }
  | {
      readonly kind: 'if' | 'with' | 'range';
      readonly pipeline: string;
      readonly names: readonly string[];
      readonly body: readonly Node[];
      readonly otherwise: readonly Node[];
    };

const ACTION = /\{\{(- )?([\s\S]*?)( -)?\}\}/g;
const TOKEN =
  /\s*(?:("(?:[^"\\]|\\.)*")|(`[^`]*`)|(-?\d+(?:\.\d+)?)|(\$?[A-Za-z_]\w*(?:\.\w+)*|\$(?:\.\w+)*|(?:\.\w+)+|\.)|([()|]))/y;

type Token = { readonly kind: 'action' | 'text'; readonly text: string };

/** Returns alternating text and actions; `{{-` and `-}}` trim adjacent whitespace. */
const tokensOf = (source: string): readonly Token[] => {
  const tokens: Token[] = [];
  let from = 0;
  let trimsNext = false;
  for (const match of source.matchAll(ACTION)) {
    const [whole, trimsBefore, action = '', trimsBehind] = match;
    let text = source.slice(from, match.index);
    if (trimsNext) text = text.trimStart();
    if (trimsBefore) text = text.trimEnd();
    tokens.push({ kind: 'text', text });
    if (!action.startsWith('/*')) tokens.push({ kind: 'action', text: action.trim() });
    from = match.index + whole.length;
    trimsNext = trimsBehind !== undefined;
  }
  const rest = source.slice(from);
  return [...tokens, { kind: 'text', text: trimsNext ? rest.trimStart() : rest }];
};

/** Named templates, and the functions that they call. */
export class GoTemplates {
  readonly #named = new Map<string, readonly Node[]>();

  constructor(private readonly functions: Readonly<Record<string, TemplateFunction>>) {}

  /** Parses a file: its definitions become visible to all; returns a name for the rest. @throws {SyntaxError} */
  add(file: string, source: string): string {
    const tokens = [...tokensOf(source)];
    const { nodes, end } = this.#block(tokens);
    if (end !== undefined) throw new SyntaxError(`${file}: {{ ${end} }} ends nothing`);
    this.#named.set(file, nodes);
    return file;
  }

  /** @throws {Error} if a template, function or variable is unknown, or a function fails. */
  render(name: string, data: Data): string {
    const nodes = this.#named.get(name);
    if (!nodes) throw new Error(`no template is named "${name}"`);
    return this.#write(nodes, data, { root: data, variables: new Map([['$', data]]) });
  }

  #block(tokens: Token[]): { readonly nodes: readonly Node[]; readonly end: string | undefined } {
    const nodes: Node[] = [];
    for (let token = tokens.shift(); token; token = tokens.shift()) {
      if (token.kind === 'text') {
        nodes.push(token.text === '' ? { kind: 'text', text: '' } : { kind: 'text', text: token.text });
        continue;
      }
      const [word = '', ...rest] = token.text.split(/\s+/);
      if (word === 'end' || word === 'else') return { nodes, end: token.text };
      const node = this.#statement(word, token.text, rest.join(' '), tokens);
      if (node) nodes.push(node);
    }
    return { nodes, end: undefined };
  }

  #statement(word: string, whole: string, rest: string, tokens: Token[]): Node | undefined {
    if (word === 'define') {
      this.#named.set(JSON.parse(rest), this.#block(tokens).nodes);
      return undefined;
    }
    if (word === 'if' || word === 'with' || word === 'range') return this.#control(word, rest, tokens);
    if (['template', 'block', 'break', 'continue'].includes(word))
      throw new SyntaxError(`{{ ${word} }} is not supported here`);
    const set = /^(\$\w+)\s*:?=\s*([\s\S]+)$/.exec(whole);
    return set
      ? { kind: 'set', name: set[1] ?? '', pipeline: set[2] ?? '' }
      : { kind: 'print', pipeline: whole };
  }

  #control(kind: 'if' | 'with' | 'range', head: string, tokens: Token[]): Node {
    const names = /^(\$\w+)(?:\s*,\s*(\$\w+))?\s*:=\s*/.exec(head);
    const { nodes: body, end } = this.#block(tokens);
    let otherwise: readonly Node[] = [];
    if (end === 'else') otherwise = this.#block(tokens).nodes;
    else if (end?.startsWith('else if '))
      otherwise = [this.#control('if', end.slice('else if '.length), tokens)];
    else if (end === undefined) throw new SyntaxError(`{{ ${kind} ${head} }} has no end`);
    const named = [names?.[1], names?.[2]].filter((name) => name !== undefined);
    return { kind, pipeline: head.slice(names?.[0].length ?? 0), names: named, body, otherwise };
  }

  #write(nodes: readonly Node[], dot: Data, scope: Scope): string {
    return nodes.map((node) => this.#text(node, dot, scope)).join('');
  }

  #text(node: Node, dot: Data, scope: Scope): string {
    if (node.kind === 'text') return node.text;
    const value = this.#value(node.pipeline, dot, scope);
    if (node.kind === 'print') return value === undefined || value === null ? '' : String(value);
    if (node.kind === 'set') {
      scope.variables.set(node.name, value);
      return '';
    }
    const inner = (): Scope => ({ root: scope.root, variables: new Map(scope.variables) });
    if (node.kind !== 'range') {
      if (!isTrue(value)) return this.#write(node.otherwise, dot, inner());
      return this.#write(node.body, node.kind === 'with' ? value : dot, inner());
    }
    return itemsOf(value)
      .map(([key, item]) => {
        const own = inner();
        const [first, second] = node.names;
        if (first !== undefined) own.variables.set(first, second === undefined ? item : key);
        if (second !== undefined) own.variables.set(second, item);
        return this.#write(node.body, item, own);
      })
      .join('');
  }

  #value(pipeline: string, dot: Data, scope: Scope): Data {
    const words = wordsOf(pipeline);
    const value = this.#pipe(words, dot, scope);
    if (words.length > 0) throw new SyntaxError(`unexpected ${words[0]} in {{ ${pipeline} }}`);
    return value;
  }

  #pipe(words: string[], dot: Data, scope: Scope): Data {
    let value = this.#call(words, dot, scope);
    while (words[0] === '|') {
      words.shift();
      value = this.#call(words, dot, scope, { piped: value });
    }
    return value;
  }

  #call(words: string[], dot: Data, scope: Scope, more?: { readonly piped: Data }): Data {
    const head = words.shift() ?? '';
    const operands: Data[] = [];
    const called = /^[A-Za-z_]\w*$/.test(head) && !(head in CONSTANTS) ? this.functions[head] : undefined;
    while (words.length > 0 && words[0] !== '|' && words[0] !== ')') {
      operands.push(this.#operand(words.shift() ?? '', words, dot, scope));
    }
    if (more) operands.push(more.piped);
    if (called) return Reflect.apply(called, undefined, operands);
    if (/^[A-Za-z_]\w*$/.test(head) && !(head in CONSTANTS)) throw new Error(`no function is named ${head}`);
    if (operands.length > 0) throw new SyntaxError(`${head} is no function`);
    return this.#operand(head, words, dot, scope);
  }

  #operand(word: string, words: string[], dot: Data, scope: Scope): Data {
    if (word === '(') {
      const value = this.#pipe(words, dot, scope);
      if (words.shift() !== ')') throw new SyntaxError('a parenthesis is not closed');
      return value;
    }
    if (word.startsWith('"')) return JSON.parse(word);
    if (word.startsWith('`')) return word.slice(1, -1);
    if (/^-?\d/.test(word)) return Number(word);
    if (word in CONSTANTS) return CONSTANTS[word];
    const [first = '', ...path] = word.split('.');
    if (first !== '' && !scope.variables.has(first)) throw new Error(`${word} is not defined`);
    return path
      .filter((name) => name !== '')
      .reduce<Data>(memberOf, first === '' ? dot : scope.variables.get(first));
  }
}

const CONSTANTS: Readonly<Record<string, Data>> = { true: true, false: false, nil: undefined };

const wordsOf = (pipeline: string): string[] => {
  const words: string[] = [];
  TOKEN.lastIndex = 0;
  const text = pipeline.trim();
  while (TOKEN.lastIndex < text.length) {
    const [whole] = TOKEN.exec(text) ?? [];
    if (whole === undefined) throw new SyntaxError(`{{ ${pipeline} }} cannot be read`);
    words.push(whole.trim());
  }
  return words;
};

const isRecord = (value: Data): value is Readonly<Record<string, Data>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** As in Helm, a field of a non-map is an error, and an unknown field of a map is empty. */
const memberOf = (value: Data, name: string): Data => {
  if (!isRecord(value)) throw new Error(`.${name} requires a map`);
  return value[name];
};

/** Whether Go treats the value as true: neither false, nor 0, nor empty. */
export const isTrue = (value: Data): boolean => {
  if (Array.isArray(value)) return value.length > 0;
  return isRecord(value) ? Object.keys(value).length > 0 : Boolean(value);
};

/** Go ranges over the keys of a map in sorted order. */
const itemsOf = (value: Data): readonly (readonly [number | string, Data])[] => {
  if (Array.isArray(value)) return [...value.entries()];
  if (isRecord(value)) return Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return [];
};
