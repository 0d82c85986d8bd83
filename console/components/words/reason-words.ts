// Words for the reasons for which a call asks a person, such as "Mode: default". They are read by people who wrote no rule.
import type { CallReasons } from "../../../sdk/index.ts";

/** Words behind "because". An unknown reason, such as one that a tool gives, is shown as it is. */
export function reasonWords({ reason, rule, untrusted }: CallReasons): string {
  if (untrusted.length > 0) return "the conversation contains text that nobody vouches for";
  if (rule) {
    const calls = rule.rule_content ? "such calls" : "every call of this tool";
    return `a permission rule asks a person about ${calls}`;
  }
  if (reason === null) return "a permission rule asks a person about it";
  return KNOWN[reason] ?? reason;
}

const KNOWN: Readonly<Record<string, string>> = {
  "Mode: default": "no permission rule decides about this tool",
  "Mode: accept_edits":
    "no permission rule decides about this tool, and it does more than edit files",
  "The agent asks for this tool by default": "the agent is set to ask before it uses this tool",
};
