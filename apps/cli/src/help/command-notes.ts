/** Reference text of a command beyond its description, arguments and options. */
export type CommandNotes = {
  /** Behaviour that the description leaves out. */
  readonly details?: string;
  /** Result with `--json`. */
  readonly json?: string;
  /** Command lines that work literally, or after replacing the words in capitals. */
  readonly examples?: readonly string[];
  /** Page in `docs/guides` without the folder, optionally with the anchor of a section. */
  readonly guide?: string;
};
