// The order of files: what takes longest begins first, so that nothing is left alone at the end.
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Of a quiet machine, from about 120 s to 10 s; those of the matrix are last. Other files come in vitest's own order. */
const LONGEST: readonly string[] = [
  // The least log retention is a minute.
  "test/conformance/log-retention.test.ts",
  "test/worker/crash/crash-matrix.test.ts",
  "test/worker/crash/crash-all.test.ts",
  "test/worker/crash/crash-hung.test.ts",
  "test/tenancy/owners.test.ts",
  "test/unit/protocol/ag-ui-sessions.test.ts",
  "test/conformance/kill.test.ts",
  "test/conformance/start.test.ts",
  "test/conformance/restarts.test.ts",
  "test/hostile/models.test.ts",
  "test/conformance/mcp/sign-in-kill.test.ts",
  "test/conformance/mcp/tasks.test.ts",
  "test/conformance/mcp/tasks-kill.test.ts",
  "test/conformance/mcp/tasks-hostile.test.ts",
  "test/conformance/agent-mcp-kill.test.ts",
  "test/conformance/mcp/elicitation-kill.test.ts",
  "test/conformance/snippets.test.ts",
  "test/hostile/tool-sizes.test.ts",
  "test/hostile/poisoned-state.test.ts",
  "test/sdk/store-recovery.test.ts",
  "test/sdk/cut-connections.test.ts",
  "test/sdk/ag-ui-cuts.test.ts",
  "test/conformance/resume.test.ts",
  "test/conformance/webhooks.test.ts",
  "test/conformance/approvals-example.test.ts",
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
