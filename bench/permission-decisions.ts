// Permission decisions with the maximum number of rules, none of which matches, so that all are evaluated.
import { checkCall, type PermissionSettings } from "../agent/permission/check-call.ts";
import type { ToolDeclaration } from "../agent/ports.ts";
import type { PermissionRule, RuleSyntax } from "../protocol/messages/permission.ts";

export interface RuleBook {
  readonly syntax: RuleSyntax;
  readonly name: string;
  /** The content of the rule with this number; it does not match the argument. */
  readonly content: (number: number) => string;
  readonly argument: string;
}

export const RULE_BOOKS: readonly RuleBook[] = [
  { syntax: "exact", name: "A-…", content: (number) => `A-${number}`, argument: "B-1" },
  {
    syntax: "glob",
    name: "*@shop….example",
    content: (number) => `*@shop${number}.example`,
    argument: "ann@other.example",
  },
  {
    syntax: "path",
    name: "/srv/project…/**",
    content: (number) => `/srv/project${number}/**`,
    argument: "/home/ann/notes.txt",
  },
  {
    syntax: "command",
    name: "tool… run:*",
    content: (number) => `tool${number} run:*`,
    argument: "make build && make test",
  },
  {
    syntax: "command",
    name: "tool… run * --fast",
    content: (number) => `tool${number} run * --fast`,
    argument: "make build && make test",
  },
];

const WARM_UPS = 20;
const DECISIONS = 1_000;

/** Decisions per second of the thread's processor time, on a small input. */
export function countDecisions({ syntax, content, argument }: RuleBook, count: number): number {
  const behaviors = ["deny", "ask", "allow"] as const;
  const rules = Array.from({ length: count }, (_, number): PermissionRule => ({
    tool_name: "t",
    rule_content: content(number),
    behavior: behaviors[number % behaviors.length] ?? "deny",
    source: "bench",
  }));
  const context: PermissionSettings = { mode: "default", rules, working_directories: ["/work"] };
  const tool = ruleTool(syntax);
  const decide = (): unknown => checkCall(context, tool, { argument });
  for (let round = 0; round < WARM_UPS; round += 1) decide();
  const before = process.threadCpuUsage();
  for (let round = 0; round < DECISIONS; round += 1) decide();
  const { user, system } = process.threadCpuUsage(before);
  return (DECISIONS * 1_000_000) / (user + system);
}

/** A tool whose rules are matched against its only argument. */
export function ruleTool(rule_syntax: RuleSyntax): ToolDeclaration {
  return {
    name: "t",
    description: "",
    input_schema: {},
    read_only: false,
    concurrency_safe: false,
    idempotent: false,
    rule_argument: "/argument",
    rule_syntax,
  };
}
