type Props = {
  readonly label: string;
  readonly class?: string;
  readonly tabs: readonly { readonly title: string; readonly href: string; readonly isHere: boolean }[];
};

/** Links between the pages of one place, of which one is shown. */
export const Tabs = ({ label, tabs, ...props }: Props) => (
  <nav aria-label={label} {...props}>
    {tabs.map(({ title, href, isHere }) => (
      <a class="tab" key={title} href={href} aria-current={isHere ? 'page' : undefined}>
        {title}
      </a>
    ))}
  </nav>
);
