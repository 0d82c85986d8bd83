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
    "guides/copilotkit",
    "guides/assistant-ui",
    "deploy",
  ],
};

/** Pages about the platform's insides are for its developers, and stay in the repository. */
export const REFERENCE: PageGroup = {
  title: "Reference",
  paths: [
    "api",
    "sdk",
    "protocol",
    "ag-ui",
    "mcp-server",
    "models",
    "tools",
    "tool-groups",
    "hooks",
    "agents-in-code",
    "mcp",
    "plans",
    "skills",
    "permissions",
    "replays",
    "untrusted-content",
    "webhooks",
    "client-tokens",
    "quotas",
    "security",
  ],
};
