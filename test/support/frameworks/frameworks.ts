/** A framework with an adapter, and the packages of its sample. */
export type Framework = {
  /** Name of the adapter's entry point, of its sample and of its folder. */
  readonly name: string;
  /** Name of its sample, if that is another one. */
  readonly sample?: string;
  /** Its packages have another scope than the sample names. */
  readonly scope?: { readonly named: string; readonly own: string };
  /** Tested on request alone, since it takes long or another version of it is tested always. */
  readonly isExtra?: true;
  /** The package whose version counts. */
  readonly package: string;
  readonly install: readonly string[];
  /** A script of its installation prepares its program; scripts of other packages are not run. */
  readonly hasInstallScript?: true;
  /** Major version of the Node that it needs, if that is newer than this repository's. */
  readonly node?: string;
  /** `turn`: each turn of the sample is a process of its own. */
  readonly processes?: 'turn';
  /** Protocol of its model; OpenAI's by default. */
  readonly protocol?: 'anthropic' | 'google';
  /** Name by which the model calls the tool `read_page` of the sample, if the framework changes it. */
  readonly tool?: string;
  /** How many times as large its window and the pages that it reads are: its instructions leave no room in a small window. */
  readonly scale?: number;
};

/** The newest versions that run on the Node of this repository's CI. */
export const FRAMEWORKS: readonly Framework[] = [
  { name: 'vercel-ai', package: 'ai', install: ['ai@6', '@ai-sdk/openai@3', 'zod@4'] },
  {
    ...{ name: 'vercel-ai-7', sample: 'vercel-ai', package: 'ai', node: '22', isExtra: true },
    install: ['ai@7', '@ai-sdk/openai@4', 'zod@4'],
  },
  {
    name: 'langchain',
    package: 'langchain',
    install: ['langchain@1', '@langchain/core@1', '@langchain/openai@1.4', 'zod@4'],
  },
  { name: 'mastra', package: '@mastra/core', install: ['@mastra/core@1', 'zod@4'], node: '22' },
  {
    name: 'pi',
    package: '@mariozechner/pi-coding-agent',
    install: ['@mariozechner/pi-coding-agent@0.73'],
    scope: { named: '@earendil-works/', own: '@mariozechner/' },
  },
  {
    ...{ name: 'pi-1', sample: 'pi', package: '@earendil-works/pi-coding-agent', node: '22', isExtra: true },
    install: ['@earendil-works/pi-coding-agent@1'],
  },
  {
    name: 'claude-agent-sdk',
    package: '@anthropic-ai/claude-agent-sdk',
    install: ['@anthropic-ai/claude-agent-sdk@0.3', 'zod@4'],
    protocol: 'anthropic',
    tool: 'mcp__report__read_page',
  },
  {
    name: 'opencode',
    package: 'opencode-ai',
    install: ['opencode-ai@1.18', '@opencode-ai/plugin@1.18'],
    processes: 'turn',
    isExtra: true,
  },
  {
    ...{ name: 'google-adk', package: '@google/adk', install: ['@google/adk@2', 'zod@4'] },
    protocol: 'google',
  },
  { name: 'openai-agents', package: '@openai/agents', install: ['@openai/agents@0.20', 'zod@4'] },
];

/** An agent of the AI SDK without an adapter, behind the gateway. */
export const GATEWAY: Framework = {
  name: 'gateway',
  package: 'ai',
  install: ['ai@6', '@ai-sdk/openai@3', 'zod@4'],
};
