import type { ComponentChildren } from 'preact';

type TextProps = {
  readonly title: string;
  readonly value: string;
  /** Called with each change, or with `isCommitted` only when the field is left or Enter is pressed. */
  readonly onValue: (value: string) => void;
  readonly isCommitted?: boolean;
  readonly type?: 'text' | 'search' | 'date' | 'password';
  readonly name?: string;
  readonly required?: boolean;
  /** Characters. */
  readonly maxLength?: number;
  readonly class?: string;
};

/** A labelled field of one line. */
export const TextField = (props: TextProps) => {
  const { title, onValue, isCommitted, type = 'text', ...rest } = props;
  const changed = ({ currentTarget }: { readonly currentTarget: HTMLInputElement }): void =>
    onValue(currentTarget.value);
  return (
    <label class={`field ${props.class ?? ''}`}>
      <span>{title}</span>
      <input
        {...rest}
        class=""
        // Preact's types tell inputs with different roles apart; none is given here.
        type={type as 'text'}
        autocomplete="off"
        spellcheck={false}
        {...(isCommitted ? { onChange: changed } : { onInput: changed })}
      />
    </label>
  );
};

type ChoiceProps = {
  readonly title: string;
  readonly value: string;
  /** Values, or values with their labels. */
  readonly options: readonly string[] | Readonly<Record<string, string>>;
  /** Called for the empty value. */
  readonly none?: string;
  readonly onValue: (value: string) => void;
};

/** A labelled choice of one value. */
export const ChoiceField = ({ title, value, options, none, onValue }: ChoiceProps) => (
  <label class="field">
    <span>{title}</span>
    <select value={value} onChange={({ currentTarget }) => onValue(currentTarget.value)}>
      {none !== undefined && <option value="">{none}</option>}
      {(Array.isArray(options) ? options.map((one) => [one, one]) : Object.entries(options)).map(
        ([one, name]) => (
          <option key={one} value={one}>
            {name}
          </option>
        ),
      )}
    </select>
  </label>
);

type TickProps = {
  readonly isTicked: boolean;
  readonly onTick: (isTicked: boolean) => void;
  readonly disabled?: boolean;
  readonly children: ComponentChildren;
};

/** A box to tick, with its sentence. */
export const Tick = ({ isTicked, onTick, disabled = false, children }: TickProps) => (
  <label class="check">
    <input
      type="checkbox"
      checked={isTicked}
      disabled={disabled}
      onChange={({ currentTarget }) => onTick(currentTarget.checked)}
    />
    <span>{children}</span>
  </label>
);
