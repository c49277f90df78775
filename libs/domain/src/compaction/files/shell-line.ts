/** One simple command of a shell line: its words without quotes, and the files of its output redirections. */
export type SimpleCommand = { readonly words: readonly string[]; readonly writesTo: readonly string[] };

/** Characters of a line that are parsed. The rest is more likely the text of a here-document than commands. */
const READ_MAX = 16 * 1024;
const HERE_DOCUMENT = /<<-?\s{0,4}(['"]?)([\w.-]{1,60})\1/y;
const NUMBER = /^\d+$/;

/**
 * Returns the simple commands of `line` in order, including those in pipes, lists and subshells. Parses quotes,
 * escapes, comments, redirections and here-documents; words of loops and expansions stay literal.
 */
export const simpleCommandsOf = (line: string): readonly SimpleCommand[] => new Reader(line).read();

class Reader {
  private readonly line: string;
  private readonly commands: SimpleCommand[] = [];
  private words: string[] = [];
  private writesTo: string[] = [];
  private word: string | undefined;
  /** The target of the next word, if it is not part of the command. */
  private target: 'written' | 'other' | undefined;
  private ends: string[] = [];
  private at = 0;

  constructor(line: string) {
    this.line = line.slice(0, READ_MAX);
  }

  read(): readonly SimpleCommand[] {
    while (this.at < this.line.length) this.step(this.line[this.at] ?? '');
    this.endCommand();
    return this.commands;
  }

  private step(mark: string): void {
    if (mark === "'") this.add(this.upTo("'"));
    else if (mark === '"') this.add(this.quoted());
    else if (mark === '\\') {
      this.add(this.line[this.at + 1] === '\n' ? '' : (this.line[this.at + 1] ?? ''));
      this.at += 2;
    } else if (mark === '#' && this.word === undefined) this.at = this.lineEnd();
    else if (mark === '>' || (mark === '&' && this.line[this.at + 1] === '>')) this.output(mark === '&');
    else if (mark === '<') this.input();
    else if (mark === '\n') this.newLine();
    else if (mark === ';' || mark === '|' || mark === '&' || mark === '(' || mark === ')') {
      this.endCommand();
      this.at += 1;
    } else if (mark === ' ' || mark === '\t' || mark === '\r') {
      this.endWord();
      this.at += 1;
    } else {
      this.add(mark);
      this.at += 1;
    }
  }

  private add(text: string): void {
    this.word = (this.word ?? '') + text;
  }

  /** Returns the text up to the next `mark` and moves behind the mark. */
  private upTo(mark: string): string {
    const found = this.line.indexOf(mark, this.at + 1);
    const end = found < 0 ? this.line.length : found;
    const text = this.line.slice(this.at + 1, end);
    this.at = end + 1;
    return text;
  }

  /** In double quotes; a here-document that a substitution in them has is passed over. */
  private quoted(): string {
    let text = '';
    this.at += 1;
    while (this.at < this.line.length && this.line[this.at] !== '"') {
      const end = this.hereDocument();
      if (end !== undefined) {
        this.at = this.lineEnd() + 1;
        this.passOver(end);
        continue;
      }
      const isEscaped = this.line[this.at] === '\\';
      text += isEscaped ? (this.line[this.at + 1] ?? '') : this.line[this.at];
      this.at += isEscaped ? 2 : 1;
    }
    this.at += 1;
    return text;
  }

  private output(isOfBoth: boolean): void {
    const stream = this.word;
    if (stream !== undefined && NUMBER.test(stream)) this.word = undefined;
    else this.endWord();
    this.at += isOfBoth ? 2 : 1;
    while (this.line[this.at] === '>' || this.line[this.at] === '|') this.at += 1;
    if (this.line[this.at] === '&') {
      this.at += 1; // To another stream.
      this.target = 'other';
    } else this.target = stream === undefined || !NUMBER.test(stream) || stream === '1' ? 'written' : 'other';
  }

  private input(): void {
    this.endWord();
    const end = this.line.startsWith('<<<', this.at) ? undefined : this.hereDocument();
    if (end !== undefined) {
      this.ends.push(end);
      this.at = HERE_DOCUMENT.lastIndex;
      return;
    }
    while (this.line[this.at] === '<') this.at += 1;
    if (this.line[this.at] !== '(') this.target = 'other';
  }

  /** The word that ends the here-document which begins here. */
  private hereDocument(): string | undefined {
    if (this.line[this.at] !== '<') return undefined;
    HERE_DOCUMENT.lastIndex = this.at;
    return HERE_DOCUMENT.exec(this.line)?.[2];
  }

  private newLine(): void {
    this.endCommand();
    this.at += 1;
    for (const end of this.ends) this.passOver(end);
    this.ends = [];
  }

  private passOver(end: string): void {
    while (this.at < this.line.length) {
      const text = this.line.slice(this.at, this.lineEnd()).trim();
      this.at = this.lineEnd() + 1;
      if (text === end) return;
    }
  }

  private lineEnd(): number {
    const found = this.line.indexOf('\n', this.at);
    return found < 0 ? this.line.length : found;
  }

  private endWord(): void {
    if (this.word === undefined) return;
    if (this.target === 'written') this.writesTo.push(this.word);
    else if (this.target === undefined) this.words.push(this.word);
    this.target = undefined;
    this.word = undefined;
  }

  private endCommand(): void {
    this.endWord();
    this.target = undefined;
    if (this.words.length > 0 || this.writesTo.length > 0)
      this.commands.push({ words: this.words, writesTo: this.writesTo });
    this.words = [];
    this.writesTo = [];
  }
}
