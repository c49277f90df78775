import { Lexer, type Token, type Tokens } from 'marked';
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { Each } from '../parts/each.js';

/** Characters: longer texts are shown as they are, since parsing them takes too long. */
const PARSED_MAX = 60_000;

/** A text in Markdown. It becomes elements, never HTML: markup within it is shown as text. */
export const Markdown = ({ text }: { readonly text: string }) => {
  const tokens = useMemo(() => parsed(text), [text]);
  if (!tokens) return <pre class="plain">{text}</pre>;
  return (
    <div class="markdown">
      <Each of={tokens}>{blockOf}</Each>
    </div>
  );
};

const parsed = (text: string): readonly Token[] | undefined => {
  if (text.length > PARSED_MAX) return undefined;
  try {
    return Lexer.lex(text, { gfm: true });
  } catch {
    return undefined; // Nested deeper than the parser goes.
  }
};

const is = <Type extends Tokens.Generic['type']>(token: Token, type: Type): boolean => token.type === type;

const blockOf = (token: Token): ComponentChildren => {
  if (is(token, 'space')) return null;
  if (is(token, 'heading')) return <Heading token={token as Tokens.Heading} />;
  if (is(token, 'paragraph')) return <p>{inlinesOf(token)}</p>;
  if (is(token, 'code')) return <pre>{(token as Tokens.Code).text}</pre>;
  if (is(token, 'blockquote'))
    return (
      <blockquote>
        <Each of={(token as Tokens.Blockquote).tokens}>{blockOf}</Each>
      </blockquote>
    );
  if (is(token, 'list')) return <List token={token as Tokens.List} />;
  if (is(token, 'table')) return <Table token={token as Tokens.Table} />;
  if (is(token, 'hr')) return <hr />;
  if (is(token, 'text')) return <span>{inlinesOf(token)}</span>;
  return <span>{token.raw}</span>;
};

/** Headings of a text are below those of the page. */
const Heading = ({ token }: { readonly token: Tokens.Heading }) => (
  <p class={`text-heading depth-${token.depth}`}>{inlinesOf(token)}</p>
);

const List = ({ token }: { readonly token: Tokens.List }) => {
  const items = (
    <Each of={token.items}>
      {(item) => (
        <li>
          {item.task && <span aria-hidden="true">{item.checked ? '☑ ' : '☐ '}</span>}
          <Each of={item.tokens}>{blockOf}</Each>
        </li>
      )}
    </Each>
  );
  return token.ordered ? (
    <ol dir="auto" start={Number(token.start) || 1}>
      {items}
    </ol>
  ) : (
    <ul dir="auto">{items}</ul>
  );
};

const Table = ({ token }: { readonly token: Tokens.Table }) => (
  <div class="scroll">
    <table>
      <thead>
        <tr>
          <Each of={token.header}>{(cell) => <th>{inlinesOf(cell)}</th>}</Each>
        </tr>
      </thead>
      <tbody>
        <Each of={token.rows}>
          {(row) => (
            <tr>
              <Each of={row}>{(cell) => <td>{inlinesOf(cell)}</td>}</Each>
            </tr>
          )}
        </Each>
      </tbody>
    </table>
  </div>
);

const inlinesOf = (token: Token | Tokens.TableCell): ComponentChildren => {
  if ('tokens' in token && token.tokens) return <Each of={token.tokens}>{inlineOf}</Each>;
  return 'text' in token ? token.text : token.raw;
};

const inlineOf = (token: Token): ComponentChildren => {
  if (is(token, 'strong')) return <strong>{inlinesOf(token)}</strong>;
  if (is(token, 'em')) return <em>{inlinesOf(token)}</em>;
  if (is(token, 'del')) return <del>{inlinesOf(token)}</del>;
  if (is(token, 'codespan')) return <code>{(token as Tokens.Codespan).text}</code>;
  if (is(token, 'br')) return <br />;
  if (is(token, 'link')) return <Link token={token as Tokens.Link} />;
  if (is(token, 'escape')) return (token as Tokens.Escape).text;
  if (is(token, 'text')) return <span>{inlinesOf(token)}</span>;
  return <span>{token.raw}</span>;
};

/** Leads to web pages only: other addresses are shown as text. */
const Link = ({ token }: { readonly token: Tokens.Link }) =>
  /^https?:\/\//i.test(token.href) ? (
    <a href={token.href} target="_blank" rel="noreferrer noopener nofollow">
      {inlinesOf(token)}
    </a>
  ) : (
    <span>{token.raw}</span>
  );
