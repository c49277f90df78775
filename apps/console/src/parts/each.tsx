import { type ComponentChildren, Fragment, h } from 'preact';

/** Shows items in their order. They keep their places, so they are children by position, without keys. */
export const Each = <Item,>(props: {
  readonly of: readonly Item[];
  readonly children: (item: Item, at: number) => ComponentChildren;
}) => h(Fragment, null, ...props.of.map(props.children));
