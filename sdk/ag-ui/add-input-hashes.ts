import type { Interrupt, RunAgentInput } from "@ag-ui/client";

/**
 * Adds the hash of the input that the interrupt showed to each answer without one, so that exactly the approved input
 * runs.
 */
export function addInputHashes(
  input: RunAgentInput,
  interrupts: readonly Interrupt[],
): RunAgentInput {
  if (!input.resume) return input;
  const resume = input.resume.map((entry) => {
    const asked = interrupts.find(({ id }) => id === entry.interruptId);
    const inputHash = hashOf(asked?.metadata);
    if (inputHash === undefined || hashOf(entry.metadata) !== undefined) return entry;
    const agentscope = { ...membersOf(entry.metadata?.["agentscope"]), inputHash };
    return { ...entry, metadata: { ...entry.metadata, agentscope } };
  });
  return { ...input, resume };
}

function hashOf(metadata: Interrupt["metadata"]): unknown {
  return membersOf(metadata?.["agentscope"])["inputHash"];
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
