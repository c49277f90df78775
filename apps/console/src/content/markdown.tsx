import { lexer, type Token, type Tokens } from 'marked';
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';

/** Characters: longer texts are shown as they are, since parsing them takes too long. */
const PARSED_MAX = 60_000;

/** A text in Markdown. It becomes elements, never HTML: markup within it is shown as text. */
export const Markdown = ({ text }: { readonly text: string }) => {
  const tokens = useMemo(() => parsed(text), [text]);
  if (!tokens) return <pre class="plain">{text}</pre>;
  return <div class="markdown">{tokens.map(blockOf)}</div>;
};

const parsed = (text: string): readonly Token[] | undefined => {
  if (text.length > PARSED_MAX) return undefined;
  try {
    return lexer(text, { gfm: true });
  } catch {
    return undefined; // Nested deeper than the parser goes.
  }
};

const is = <Type extends Tokens.Generic['type']>(token: Token, type: Type): boolean => token.type === type;

const blockOf = (token: Token, key: number): ComponentChildren => {
  if (is(token, 'space')) return null;
  if (is(token, 'heading')) return <Heading key={key} token={token as Tokens.Heading} />;
  if (is(token, 'paragraph')) return <p key={key}>{inlinesOf(token)}</p>;
  if (is(token, 'code')) return <pre key={key}>{(token as Tokens.Code).text}</pre>;
  if (is(token, 'blockquote'))
    return <blockquote key={key}>{(token as Tokens.Blockquote).tokens.map(blockOf)}</blockquote>;
  if (is(token, 'list')) return <List key={key} token={token as Tokens.List} />;
  if (is(token, 'table')) return <Table key={key} token={token as Tokens.Table} />;
  if (is(token, 'hr')) return <hr key={key} />;
  if (is(token, 'text')) return <span key={key}>{inlinesOf(token)}</span>;
  return <span key={key}>{token.raw}</span>;
};

/** Headings of a text are below those of the page. */
const Heading = ({ token }: { readonly token: Tokens.Heading }) => (
  <p class={`text-heading depth-${token.depth}`}>{inlinesOf(token)}</p>
);

const List = ({ token }: { readonly token: Tokens.List }) => {
  const items = token.items.map((item, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: items never move.
    <li key={at}>
      {item.task && <span aria-hidden="true">{item.checked ? '☑ ' : '☐ '}</span>}
      {item.tokens.map(blockOf)}
    </li>
  ));
  return token.ordered ? <ol start={Number(token.start) || 1}>{items}</ol> : <ul>{items}</ul>;
};

const Table = ({ token }: { readonly token: Tokens.Table }) => (
  <div class="scroll">
    <table>
      <thead>
        <tr>
          {token.header.map((cell, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: cells never move.
            <th key={at}>{cell.tokens.map(inlineOf)}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {token.rows.map((row, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows never move.
          <tr key={at}>
            {row.map((cell, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: cells never move.
              <td key={column}>{cell.tokens.map(inlineOf)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

const inlinesOf = (token: Token): ComponentChildren =>
  'tokens' in token && token.tokens ? token.tokens.map(inlineOf) : 'text' in token ? token.text : token.raw;

const inlineOf = (token: Token, key: number): ComponentChildren => {
  if (is(token, 'strong')) return <strong key={key}>{inlinesOf(token)}</strong>;
  if (is(token, 'em')) return <em key={key}>{inlinesOf(token)}</em>;
  if (is(token, 'del')) return <del key={key}>{inlinesOf(token)}</del>;
  if (is(token, 'codespan')) return <code key={key}>{(token as Tokens.Codespan).text}</code>;
  if (is(token, 'br')) return <br key={key} />;
  if (is(token, 'link')) return <Link key={key} token={token as Tokens.Link} />;
  if (is(token, 'escape')) return (token as Tokens.Escape).text;
  if (is(token, 'text')) return <span key={key}>{inlinesOf(token)}</span>;
  return <span key={key}>{token.raw}</span>;
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
