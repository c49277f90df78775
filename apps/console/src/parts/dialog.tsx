import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';

type Props = {
  readonly title: string;
  /** Called when the browser closes it, as Escape does. */
  readonly onClose: () => void;
  readonly children: ComponentChildren;
};

/** A modal dialog. It is closed before it is removed, so that the focus returns to the element that opened it. */
export const Dialog = ({ title, onClose, children }: Props) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  // An effect without layout ends after the removal.
  useLayoutEffect(() => {
    const element = dialog.current;
    // Browsers may leave out the event `cancel`.
    element?.addEventListener('close', onClose);
    element?.showModal();
    return () => {
      element?.removeEventListener('close', onClose);
      element?.close();
    };
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
};
