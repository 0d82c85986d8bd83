// The order of the documentation's pages. Pages that are not named here come last in their group, by title.

export interface PageGroup {
  readonly title: string;
  /** The paths below `/docs/`, in order. */
  readonly paths: readonly string[];
}

export const GUIDES: PageGroup = {
  title: "Guides",
  paths: [
    "guides/first-agent",
    "guides/your-own-model",
    "guides/tools",
    "guides/approvals",
    "guides/event-source",
    "guides/react",
    "guides/phone-app",
    "guides/interrupts",
    "guides/copilotkit",
    "guides/assistant-ui",
    "deploy",
  ],
};

/** Pages outside `docs/`, by their path below `/docs/`. */
const ROOT_PAGES: Readonly<Record<string, string>> = {
  changelog: "CHANGELOG.md",
  contributing: "AGENTS.md",
};

/** The file of a page, from the root of the repository. */
export function fileOfPage(path: string): string {
  return ROOT_PAGES[path] ?? `docs/${path}.md`;
}

/** Other pages about the platform's insides are for its developers, and stay in the repository. */
export const REFERENCE: readonly PageGroup[] = [
  {
    title: "API",
    paths: [
      "api",
      "api/routes",
      "api/replies",
      "api/sessions",
      "api/end-users",
      "api/audit",
      "api/errors",
      "sdk",
      "sdk/front-ends",
      "sdk/sockets",
      "webhooks",
      "triggers",
      "client-tokens",
      "members",
      "operator",
      "operator/routes",
      "replays",
      "quotas",
    ],
  },
  {
    title: "Streams",
    paths: [
      "protocol",
      "protocol/streams",
      "protocol/platform-events",
      "protocol/work-events",
      "protocol/questions",
      "protocol/room-events",
      "protocol/agentscope-java",
      "protocol/agentscope-1",
      "ag-ui",
      "protocol/ag-ui",
      "protocol/ag-ui-agents",
      "protocol/ag-ui-rooms",
    ],
  },
  {
    title: "Agents",
    paths: [
      "models",
      "models/openai",
      "models/anthropic",
      "models/failures",
      "models/differences",
      "tools",
      "tools/http",
      "background-tools",
      "tool-groups",
      "agents-as-tools",
      "a2a-agents",
      "a2a-tools",
      "rooms",
      "voice",
      "permissions",
      "untrusted-content",
      "hooks",
      "told-events",
      "plans",
      "skills",
      "memory",
      "agents-in-code",
      "agents-over-http",
    ],
  },
  {
    title: "Running it",
    paths: [
      "console",
      "console/pages",
      "files",
      "context",
      "performance",
      "testing",
      "changelog",
      "contributing",
    ],
  },
  { title: "MCP", paths: ["mcp", "mcp/people", "mcp/sign-in", "mcp-server"] },
  { title: "A2A", paths: ["a2a", "a2a/routes"] },
  {
    title: "Security",
    paths: [
      "security",
      "security/protections",
      "security/bounded-work",
      "security/bounds",
      "security/self-hosting",
    ],
  },
];
