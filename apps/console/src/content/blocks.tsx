import { type Block, blocksOf, isImage, isText, isThinking, isToolResult, isToolUse } from '@app/client';
import { useState } from 'preact/hooks';
import { Each } from '../parts/each.js';
import { ERASED_TEXT } from '../parts/erased.js';
import { count } from '../parts/text.js';
import { DiffView } from './diff-view.js';
import { Markdown } from './markdown.js';

/** Characters of a tool result that are shown at first. */
const SHOWN_FIRST = 1_500;
/** Characters of JSON that are shown at first, and those that are added to a long text at a time. */
const PART = 100_000;

/** The content of a message, block by block. */
export const Blocks = ({ content }: { readonly content: string | readonly Block[] }) => (
  <Each of={blocksOf(content)}>{(block) => <BlockView block={block} />}</Each>
);

const BlockView = ({ block }: { readonly block: Block }) => {
  if (isText(block) && block.text === ERASED_TEXT) return <p class="erased">{ERASED_TEXT}</p>;
  if (isText(block)) return <Markdown text={block.text} />;
  if (block.type === 'redacted_thinking' || (isThinking(block) && block.thinking === ''))
    return <p class="block muted">Reasoning, encrypted: only its provider can read it.</p>;
  if (isThinking(block))
    return (
      <details class="block reasoning">
        <summary>Reasoning, {count(block.thinking.length)} characters</summary>
        <Markdown text={block.thinking} />
      </details>
    );
  if (isToolUse(block)) return <ToolCall name={block.name} id={block.id} input={block.input} />;
  if (isToolResult(block))
    return (
      <div class={`block result ${block.is_error ? 'is-error' : ''}`}>
        <p class="block-head">
          {block.is_error ? '✕ Error of a tool' : '↳ Result of a tool'} <code>{block.tool_use_id}</code>
        </p>
        <Each of={blocksOf(block.content ?? '')}>
          {(part) => (isText(part) ? <LongText text={part.text} /> : <BlockView block={part} />)}
        </Each>
      </div>
    );
  if (isImage(block)) return <Image block={block} />;
  if (isDocument(block))
    return (
      <p class="muted">
        A document, {block.source.media_type}, {count(Math.ceil((block.source.data.length * 3) / 4_000))} kB:
        only its JSON shows the content.
      </p>
    );
  return <Raw value={block} />;
};

type Document = { readonly source: { readonly media_type: string; readonly data: string } };
/** Whether a block holds a file in Base64 that is no image. */
const isDocument = (block: Block): block is Block & Document =>
  'source' in block &&
  typeof block.source === 'object' &&
  block.source !== null &&
  'media_type' in block.source &&
  'data' in block.source &&
  typeof block.source.data === 'string';

type WithEdit = { readonly old_string: string; readonly new_string: string };
const isEdit = (input: unknown): input is WithEdit =>
  typeof input === 'object' &&
  input !== null &&
  'old_string' in input &&
  'new_string' in input &&
  typeof input.old_string === 'string' &&
  typeof input.new_string === 'string';

const ToolCall = (props: { readonly name: string; readonly id: string; readonly input: unknown }) => {
  const { name, id, input } = props;
  return (
    <div class="block call">
      <p class="block-head">
        → <strong>{name}</strong> <code>{id}</code>
      </p>
      <Input input={input} />
      {isEdit(input) && <DiffView before={input.old_string} after={input.new_string} />}
    </div>
  );
};

/** Arguments one by one: texts as they are, everything else as JSON. */
const Input = ({ input }: { readonly input: unknown }) => {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return <Raw value={input} />;
  const hidden = isEdit(input) ? new Set(['old_string', 'new_string']) : new Set<string>();
  return (
    <dl class="arguments">
      {Object.entries(input)
        .filter(([name]) => !hidden.has(name))
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {typeof value === 'string' ? <LongText text={value} /> : <code>{JSON.stringify(value)}</code>}
            </dd>
          </div>
        ))}
    </dl>
  );
};

/** A text of any length, of which a browser lays out a part at a time. */
const LongText = ({ text, first = SHOWN_FIRST }: { readonly text: string; readonly first?: number }) => {
  const [shown, setShown] = useState(first);
  const left = text.length - shown;
  return (
    <>
      <pre class="plain">{left > 0 ? `${text.slice(0, shown)}…` : text}</pre>
      {left > 0 && (
        <button type="button" onClick={() => setShown(shown + PART)}>
          Show {left > PART ? `${count(PART)} more` : 'all'} of {count(text.length)} characters
        </button>
      )}
    </>
  );
};

const MEDIA = /^image\/(png|jpeg|gif|webp)$/;

/** Stored images are shown; those elsewhere are named, since loading them would tell others who looks. */
const Image = ({ block }: { readonly block: Extract<Block, { readonly type: 'image' }> }) => {
  if (!isImage(block)) return <Raw value={block} />;
  const { source } = block;
  if (source.type === 'base64' && MEDIA.test(source.media_type))
    return (
      <img
        class="stored"
        alt="Stored with the message"
        src={`data:${source.media_type};base64,${source.data}`}
      />
    );
  return (
    <p class="muted">
      An image at {source.type === 'url' ? source.url : source.media_type}, which is not loaded.
    </p>
  );
};

/** A value as JSON. */
export const Raw = ({ value }: { readonly value: unknown }) => (
  <LongText text={JSON.stringify(value, null, 2)} first={PART} />
);
