import type { JsonObject } from '@app/kernel';

/** The `--json` output of the commands, as far as specs use it. Written independently, not imported. */
export type ImportLine = {
  readonly session: string;
  readonly format: string;
  readonly messages: number;
  readonly turns: number;
  readonly toolCalls: number;
  readonly tokens: number;
  readonly compactions: number;
  readonly skippedLines: number;
};
export type ContextAnswer = {
  readonly request: JsonObject;
  readonly revision: number;
  readonly tokens: number;
  readonly window: number;
  readonly pivot: string | null;
  readonly notes: readonly JsonObject[];
};
export type EventLine = { readonly revision: number; readonly type: string; readonly data: JsonObject };
export type ExportLine = {
  readonly id: string;
  readonly revision: number;
  readonly role: string;
  readonly content: readonly JsonObject[];
};
