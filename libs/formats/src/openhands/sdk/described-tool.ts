import type { JsonObject } from '@app/kernel';
import { objectIn, stringIn } from '../../drafts/members.js';

/** A tool as the agent SDK dumps its definition: it is named by its class alone, or by the MCP tool behind it. */
export const describedTool = (tool: JsonObject): JsonObject => {
  const isNamed = stringIn(tool, 'name') !== undefined || tool.type === 'function';
  const mcp = objectIn(tool, 'mcp_tool') ?? {};
  const name = stringIn(mcp, 'name') ?? nameOf(stringIn(tool, 'kind'));
  if (isNamed || name === undefined) return tool;
  const description = stringIn(tool, 'description') ?? stringIn(mcp, 'description');
  return {
    name,
    ...(description !== undefined && { description }),
    input_schema: objectIn(mcp, 'inputSchema') ?? { type: 'object' },
  };
};

/** `FileEditorTool` is `file_editor` to the model. */
const nameOf = (kind: string | undefined): string | undefined =>
  kind
    ?.replace(/Tool(?:Definition)?$/, '')
    .replace(/(?<=[a-z0-9])(?=[A-Z])/g, '_')
    .toLowerCase() || undefined;
