import type { ComponentChildren } from 'preact';
import { ScrollArea } from './scroll-area.js';

export type Column<Row> = {
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Aligned to the right. */
  readonly isNumber?: boolean;
  /** Names its row. */
  readonly isHead?: boolean;
  /** The title is for screen readers alone. */
  readonly isTitleHidden?: boolean;
};

type Props<Row> = {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
  readonly columns: readonly Column<Row>[];
};

/** A table that scrolls sideways where it is wider than the page. */
export const Table = <Row,>({ label, rows, keyOf, columns }: Props<Row>) => (
  <ScrollArea label={label}>
    <table>
      <thead>
        <tr>
          {columns.map(({ title, isNumber, isTitleHidden }) => (
            <th scope="col" key={title} class={isNumber ? 'number' : ''}>
              {isTitleHidden ? <span class="hidden-text">{title}</span> : title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map(({ title, cell, isHead, isNumber }) =>
              isHead ? (
                <th scope="row" key={title}>
                  {cell(row)}
                </th>
              ) : (
                <td key={title} class={isNumber ? 'number' : ''}>
                  {cell(row)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  </ScrollArea>
);
