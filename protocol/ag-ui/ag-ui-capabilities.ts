// An agent's capabilities in the shape of AG-UI's `AgentCapabilities`. An absent member means unknown.
import * as z from "zod";

export const AgUiCapabilitiesSchema = z
  .object({
    identity: z.object({
      name: z.string(),
      /** The platform. */
      type: z.literal("reprise"),
      /** The agent's. */
      version: z.string(),
    }),
    transport: z.object({
      streaming: z.literal(true),
      websocket: z.literal(false),
      httpBinary: z.literal(false),
      /** An interrupted stream can be resumed after the last frame received. */
      resumable: z.literal(true),
    }),
    tools: z.object({
      supported: z.literal(true),
      /** The agent's own tools. */
      items: z.array(
        z.object({
          name: z.string(),
          description: z.string(),
          /** JSON Schema of the call's input. */
          parameters: z.record(z.string(), z.unknown()),
        }),
      ),
      parallelCalls: z.literal(true),
      /** A run may declare tools that its client executes. */
      clientProvided: z.literal(true),
    }),
    output: z.object({
      /** Returned as `result` of `RUN_FINISHED`. */
      structuredOutput: z.boolean(),
    }),
    /** Absent for an agent that calls no others. */
    multiAgent: z
      .object({
        supported: z.literal(true),
        delegation: z.literal(true),
        handoffs: z.literal(false),
        subagents: z.array(
          z.object({
            /** The name of the tool that calls it. */
            name: z.string(),
            description: z.string().optional(),
          }),
        ),
      })
      .optional(),
    state: z.object({
      snapshots: z.literal(true),
      deltas: z.literal(true),
      memory: z.literal(false),
      persistentState: z.literal(true),
    }),
    reasoning: z.object({ streaming: z.literal(true) }),
    multimodal: z.object({
      /** Media types that are passed on to the model; whether the model supports them is not checked. */
      input: z.object({
        image: z.literal(true),
        audio: z.literal(true),
        video: z.literal(false),
        pdf: z.literal(true),
        file: z.literal(false),
      }),
    }),
    execution: z.object({
      codeExecution: z.literal(false),
      /** Rounds of model call and tools. */
      maxIterations: z.number().int(),
      /** Milliseconds that a reply may run, waiting excluded; absent without a limit. */
      maxExecutionTime: z.number().int().optional(),
    }),
    humanInTheLoop: z.object({
      supported: z.literal(true),
      approvals: z.literal(true),
      interventions: z.literal(false),
      feedback: z.literal(false),
      interrupts: z.literal(true),
      approveWithEdits: z.boolean(),
    }),
  })
  .meta({
    id: "AgUiCapabilities",
    description: "An agent's capabilities as AG-UI's `AgentCapabilities`.",
  });
export type AgUiCapabilities = z.infer<typeof AgUiCapabilitiesSchema>;
