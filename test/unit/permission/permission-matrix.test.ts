import { describe, expect, it } from "vitest";

import {
  decidePermission,
  type ToolCheckResult,
} from "../../../agent/permission/decide-permission.ts";
import { PermissionModeSchema } from "../../../protocol/messages/permission.ts";
import { readConformanceFile } from "../../support/conformance-files.ts";

const CHECKS: Record<string, ToolCheckResult> = {
  allow: "allow",
  deny: "deny",
  ask: "ask",
  "ask!": "ask_always",
  pass: "pass",
};

const [header = "", ...rows] = readConformanceFile("permission_matrix.csv").trim().split("\n");
const columns = header.trim().split(",");

describe("the reference's permission matrix", () => {
  it("has the columns that these tests read", () => {
    expect(columns).toEqual([
      "mode",
      "deny_rule_matches",
      "ask_rule_matches",
      "allow_rule_matches",
      "check_read_only",
      "tool_check_permissions",
      "expected_behavior",
      "has_suggested_rules",
    ]);
    expect(rows.length).toBeGreaterThan(100);
  });

  it.each(rows.map((row) => row.trim()))("%s", (row) => {
    const [mode, deny, ask, allow, readOnly, check = "", behavior, suggested] = row.split(",");
    const decision = decidePermission({
      untrusted: null,
      bypassesUntrusted: false,
      mode: PermissionModeSchema.parse(mode),
      denyRule: deny === "1" ? "v" : null,
      askRule: ask === "1" ? "v" : null,
      allowRule: allow === "1" ? "v" : null,
      isReadOnly: readOnly === "1",
      toolCheck: CHECKS[check] ?? "pass",
      toolReason: "the tool's own reason",
    });

    expect({ behavior: decision.behavior, suggested: decision.suggestsRules }).toEqual({
      behavior,
      suggested: suggested === "1",
    });
    expect(Object.keys(CHECKS)).toContain(check);
  });
});
