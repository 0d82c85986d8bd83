import { AgentCapabilitiesSchema } from "@ag-ui/core/schemas";
import { expect, it } from "vitest";

import { AgUiCapabilitiesSchema } from "../../../protocol/ag-ui/ag-ui-capabilities.ts";
import { AgentCreateSchema } from "../../../protocol/agents/contract.ts";
import { toCapabilities } from "../../../protocol/dialects/ag-ui/to-capabilities.ts";

const AGENT = AgentCreateSchema.parse({
  name: "Desk",
  max_iters: 7,
  budget: { max_seconds: 90 },
  structured_output: { type: "object" },
  tools: [
    { type: "external", name: "ship", description: "Ships.", input_schema: { type: "object" } },
    { type: "code", name: "clock" },
    { type: "code", name: "gone" },
    { type: "agent", name: "order_desk", description: "Knows orders.", agent_id: "agt_1" },
    { type: "agent", name: "audit", agent_id: "agt_2", input_schema: { type: "object" } },
  ],
});
const CLOCK = { name: "clock", description: "Tells the time.", input_schema: { type: "object" } };

it("what an agent can do is told in the protocol's own shape, and only what is true", () => {
  const capabilities = toCapabilities({ ...AGENT, version: 3 }, [CLOCK]);
  expect(AgentCapabilitiesSchema.parse(capabilities)).toEqual(capabilities);
  expect(AgUiCapabilitiesSchema.strict().parse(capabilities)).toEqual(capabilities);
  expect(capabilities).toMatchObject({
    identity: { name: "Desk", type: "reprise", version: "3" },
    tools: {
      items: [
        { name: "ship", description: "Ships.", parameters: { type: "object" } },
        { name: "clock", description: "Tells the time.", parameters: { type: "object" } },
        { name: "order_desk", description: "Knows orders." },
        { name: "audit", description: "", parameters: { type: "object" } },
      ],
    },
    multiAgent: {
      supported: true,
      delegation: true,
      handoffs: false,
      subagents: [{ name: "order_desk", description: "Knows orders." }, { name: "audit" }],
    },
    output: { structuredOutput: true },
    execution: { codeExecution: false, maxIterations: 7, maxExecutionTime: 90_000 },
  });
});

it("an agent without limits of time, a schema or agents to call promises none of it", () => {
  const plain = AgentCreateSchema.parse({ name: "Desk" });
  const { output, execution, multiAgent } = toCapabilities({ ...plain, version: 1 });
  expect({ output, execution, multiAgent }).toEqual({
    multiAgent: undefined,
    output: { structuredOutput: false },
    execution: { codeExecution: false, maxIterations: 20 },
  });
});
