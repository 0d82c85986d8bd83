// The order of files: what takes longest begins first, so that nothing is left alone at the end.
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Files that take from 80 s to about 12 s on a quiet machine, by project; those of the matrix are last. Other files
 * come in vitest's own order.
 */
const LONGEST: readonly string[] = [
  // The least log retention is a minute.
  "test/conformance/log/log-retention.test.ts",
  "test/conformance/mcp/sign-in-kill.test.ts",
  "test/conformance/restarts.test.ts",
  "test/conformance/mcp/tasks.test.ts",
  "test/hostile/models.test.ts",
  "test/conformance/kill.test.ts",
  "test/conformance/start.test.ts",
  "test/conformance/mcp/tasks-hostile.test.ts",
  "test/conformance/reference-snippets.test.ts",
  "test/sdk/store-recovery.test.ts",
  "test/conformance/webhooks/webhooks.test.ts",
  "test/conformance/mcp/tasks-kill.test.ts",
  "test/conformance/confirmations/approvals-example.test.ts",
  "test/conformance/replay/replays-hostile.test.ts",
  "test/conformance/agent-mcp/agent-mcp-kill.test.ts",
  // Fifteen seconds have to pass.
  "test/conformance/agent-mcp/agent-mcp-left.test.ts",
  "test/conformance/hooks/hook-failures.test.ts",
  "test/sdk/ag-ui-cuts.test.ts",
  "test/conformance/ag-ui/ag-ui.test.ts",
  "test/conformance/agent-mcp/agent-mcp-end-users.test.ts",
  "test/conformance/mcp/tasks-ways.test.ts",
  "test/conformance/mcp/sign-in-ends.test.ts",
  "test/conformance/resume.test.ts",
  "test/sdk/cut-connections.test.ts",
  "test/conformance/confirmations/confirmations-race.test.ts",
  "test/conformance/agentscope-java.test.ts",
  "test/hostile/poisoned-state.test.ts",
  "test/conformance/diagnostics/diagnostics.test.ts",
  "test/conformance/mcp/sign-in-routes.test.ts",
  "test/conformance/snippets.test.ts",
  "test/conformance/mcp/elicitation-kill.test.ts",
  "test/unit/ag-ui/ag-ui-sessions.test.ts",
  "test/unit/bench/main.test.ts",
  "test/unit/models/wires/cuts.test.ts",
  "test/unit/models/wires/hostile.test.ts",
  "test/unit/models/openai-stall.test.ts",
  "test/unit/openapi/document.test.ts",
  "test/worker/crash/features-alone.test.ts",
  "test/worker/crash/crash-alone.test.ts",
  "test/worker/crash/crash-hung.test.ts",
  "test/worker/crash/features-all.test.ts",
  "test/worker/crash/crash-all.test.ts",
  "test/worker/crash/crash-matrix.test.ts",
  "test/tenancy/owners.test.ts",
  "test/worker/tenants/closing.test.ts",
  "test/worker/documentation/openapi.test.ts",
  "test/tenancy/foreign-ids.test.ts",
  "test/worker/log/log-retention.test.ts",
  "test/worker/credentials/rotation.test.ts",
  "test/worker/ag-ui/crashes.test.ts",
  "test/worker/replies/interleavings.test.ts",
  // 83 scenarios one after the other, each a process of the suite.
  "test/matrix/mcp-conformance/mcp-conformance.test.ts",
  // Its link expires ten minutes after the start.
  "test/matrix/console/sign-in.test.ts",
  "test/matrix/console/accessibility.test.ts",
  "test/matrix/clients/ag-ui-client-crash.test.ts",
  "test/matrix/console/sessions.test.ts",
  "test/matrix/console/playground.test.ts",
  "test/matrix/browser/ag-ui-page.test.ts",
];

function rankOf({ moduleId }: TestSpecification): number {
  const rank = LONGEST.findIndex((path) => moduleId.endsWith(path));
  return rank === -1 ? LONGEST.length : rank;
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const orderOf = ({ project }: TestSpecification) => project.config.sequence.groupOrder;
    return sorted.toSorted(
      (one, other) => orderOf(one) - orderOf(other) || rankOf(one) - rankOf(other),
    );
  }
}
