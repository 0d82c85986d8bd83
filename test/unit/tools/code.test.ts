// Functions of the deployment as tools, through the runner that agents' calls go through.
import { describe, expect, it } from "vitest";
import * as z from "zod";

import type { ToolCallRequest, ToolChunk } from "../../../agent/ports.ts";
import { CODE_TOOLS } from "../../../tools/code-tools.ts";
import {
  defineCodeTool,
  ToolFailure,
  type CodeCall,
  type CodeOutput,
  type CodeTool,
} from "../../../tools/code.ts";
import { createSecretSource } from "../../../outgoing/secret-source.ts";
import { createToolRunner } from "../../../tools/tool-runner.ts";
import { checkCodeTools } from "../../../worker/tools/check-code-tools.ts";
import { hearLog } from "../../support/hear-log.ts";
import { MemoryLog } from "../../support/memory-log.ts";
import { runScript } from "../../support/run-script.ts";

const REQUEST: ToolCallRequest = {
  tool_call_id: "call_1",
  name: "convert",
  input: { amount: 3 },
  session_id: "ses_1",
  reply_id: "rep_1",
  end_user_id: "customer-17",
};
const END = { type: "end", state: "success" };
const input = z.object({ amount: z.number(), currency: z.string().default("EUR") });

type Run = (
  input: { amount: number; currency: string },
  call: CodeCall,
) => CodeOutput | Promise<CodeOutput>;

function convert(run: Run, more: { timeout_ms?: number; read_only?: boolean } = {}): CodeTool {
  return defineCodeTool({ name: "convert", description: "Converts money.", input, run, ...more });
}

function runnerOf(...codeTools: CodeTool[]) {
  const outgoing = () => Promise.reject(new Error("nothing leaves"));
  return createToolRunner({
    tools: [{ type: "code", name: "convert" }],
    outgoing,
    secrets: createSecretSource(new Map()),
    codeTools,
  });
}

async function chunksOf(
  tool: CodeTool,
  {
    stop = new AbortController().signal,
    given = REQUEST.input,
  }: { stop?: AbortSignal; given?: unknown } = {},
): Promise<ToolChunk[]> {
  const chunks: ToolChunk[] = [];
  const request = { ...REQUEST, input: given };
  for await (const chunk of runnerOf(tool).run(request, stop)) chunks.push(chunk);
  return chunks;
}

function failed(text: string): unknown[] {
  return [
    { type: "text", delta: text },
    { type: "end", state: "error" },
  ];
}

describe("a code tool", () => {
  it("is told to the model with the schema of its input, and asks unless it only reads", () => {
    const [tool] = runnerOf(convert(() => "")).tools;

    expect(tool).toMatchObject({
      name: "convert",
      description: "Converts money.",
      input_schema: {
        type: "object",
        properties: { amount: { type: "number" }, currency: { type: "string", default: "EUR" } },
        required: ["amount"],
      },
      read_only: false,
      concurrency_safe: false,
      idempotent: false,
    });
  });

  it("gets its input with defaults filled in, and whose call it is", async () => {
    const seen: unknown[] = [];
    await chunksOf(
      convert((value, { signal, ...call }) => {
        seen.push(value, call, signal.aborted);
        return "";
      }),
    );

    const { name: _name, input: _input, ...given } = REQUEST;
    const call = { ...given, emit: expect.any(Function) as unknown };
    expect(seen).toEqual([{ amount: 3, currency: "EUR" }, call, false]);
  });

  it.each<[string, CodeOutput, unknown[]]>([
    ["text", "3 EUR", [{ type: "text", delta: "3 EUR" }, END]],
    ["nothing", "", [END]],
    [
      "blocks",
      [
        { type: "text", text: "a" },
        { type: "text", text: "b" },
        { type: "data", source: { type: "base64", data: "AQID", media_type: "image/png" } },
      ],
      [
        { type: "text", delta: "a" },
        { type: "text", delta: "\nb" },
        { type: "data", media_type: "image/png", data: "AQID" },
        END,
      ],
    ],
  ])("may answer with %s", async (_, output, chunks) => {
    expect(await chunksOf(convert(async () => output))).toEqual(chunks);
  });

  it("may answer piece by piece", async () => {
    const chunks = await chunksOf(
      convert(async function* () {
        yield "three ";
        yield "euros";
      }),
    );

    expect(chunks).toEqual([
      { type: "text", delta: "three " },
      { type: "text", delta: "euros" },
      END,
    ]);
  });

  it.each<[string, Run]>([
    ["an object", () => ({ output: "closed", stop: true })],
    [
      "the return of a stream",
      async function* () {
        yield "closed";
        return { stop: true as const };
      },
    ],
  ])("may stop its reply at its end, by %s", async (_, run) => {
    expect(await chunksOf(convert(run))).toEqual([
      { type: "text", delta: "closed" },
      { ...END, stops: true },
    ]);
  });

  it("stops nothing by an output alone, nor by an end that says something else", async () => {
    const ends = [{ output: "open" }, { output: "open", stop: false }, { output: "open", stop: 1 }];
    for (const end of ends) {
      expect(await chunksOf(convert(() => end as CodeOutput))).toEqual([
        { type: "text", delta: "open" },
        END,
      ]);
    }
  });

  it("shows the model nothing of an exception but what was thrown for it", async () => {
    const log = hearLog();
    const throwing = (error: unknown) =>
      chunksOf(
        convert(() => {
          throw error;
        }),
      );

    expect([
      await throwing(new Error("password=hunter2")),
      await throwing("a string"),
      await throwing(new ToolFailure("No rate for that currency.")),
      await chunksOf(convert(() => 3 as never)),
    ]).toEqual([
      failed("The tool failed."),
      failed("The tool failed."),
      failed("No rate for that currency."),
      failed("The tool's answer is neither text nor blocks."),
    ]);
    expect(log).toEqual(["a code tool failed", "a code tool failed"]);
  });

  it("keeps what it said before it failed", async () => {
    const log = hearLog();
    const chunks = await chunksOf(
      convert(async function* () {
        yield "so far";
        throw new Error("secret");
      }),
    );

    expect(chunks).toEqual([{ type: "text", delta: "so far" }, ...failed("\nThe tool failed.")]);
    expect(log).toEqual(["a code tool failed"]);
  });

  it("is not waited for when it is late, and hears of that", async () => {
    let signal: AbortSignal | undefined;
    const never = (_: unknown, call: CodeCall) => {
      signal = call.signal;
      return new Promise<string>(() => {});
    };
    const stalled = async function* () {
      yield "one";
      await new Promise(() => {});
    };

    expect(await chunksOf(convert(never, { timeout_ms: 20 }))).toEqual(
      failed("The tool did not answer within 20 ms."),
    );
    expect(await chunksOf(convert(stalled, { timeout_ms: 20 }))).toEqual([
      { type: "text", delta: "one" },
      ...failed("\nThe tool did not answer within 20 ms."),
    ]);
    expect(signal?.aborted).toBe(true);
  });

  it("ends without a word after an interrupt", async () => {
    const stop = new AbortController();
    const chunks = await chunksOf(
      convert(() => {
        stop.abort();
        return new Promise<string>(() => {});
      }),
      { stop: stop.signal },
    );

    expect(chunks).toEqual([]);
  });

  it("is not called when the interrupt comes while its start is being written", async () => {
    const stop = new AbortController();
    class InterruptedLog extends MemoryLog {
      override async settled(): Promise<void> {
        if (this.events.at(-1)?.type === "TOOL_RESULT_START") stop.abort();
      }
    }
    let calls = 0;
    const tool = convert(
      () => {
        calls += 1;
        return "3 EUR";
      },
      { read_only: true },
    );
    const log = await runScript({
      script: '/call convert {"amount": 3}\n/say Done',
      tools: runnerOf(tool),
      log: new InterruptedLog(),
      stop: stop.signal,
    });

    expect([calls, stop.signal.aborted, log.types.at(-1)]).toEqual([0, true, "TOOL_RESULT_START"]);
  });

  it("refuses an input that its schema cannot say in JSON Schema", async () => {
    const tool = defineCodeTool({
      name: "convert",
      description: "",
      input: z.object({ amount: z.number().refine((n) => n % 2 === 0, { message: "is odd" }) }),
      run: () => "even",
    });

    const [text, end] = await chunksOf(tool);

    expect([text, end]).toEqual([
      { type: "text", delta: expect.stringContaining("is odd") },
      { type: "end", state: "error" },
    ]);
  });

  it("is asked about and run by the loop as any other", async () => {
    const log = await runScript({
      script: '/call convert {"amount":3}\n/say Done',
      tools: runnerOf(
        convert(({ amount, currency }) => `${amount} ${currency}`, { read_only: true }),
      ),
      log: new MemoryLog(),
    });

    expect(log.state.message.content.find(({ type }) => type === "tool_result")).toMatchObject({
      output: [{ type: "text", text: "3 EUR" }],
      state: "success",
    });
  });

  it("that is not deployed is not offered, and a call of it is an error", async () => {
    const runner = runnerOf();
    const chunks = [];
    for await (const chunk of runner.run(REQUEST, new AbortController().signal)) chunks.push(chunk);

    expect([runner.tools, chunks]).toEqual([[], failed("convert is not deployed any more.")]);
  });

  it("has a name that a model can call", () => {
    expect(() =>
      defineCodeTool({ name: "no spaces", description: "", input, run: () => "" }),
    ).toThrow(z.ZodError);
  });
});

describe("an agent's code tools", () => {
  const tools = [
    { type: "code" as const, name: "convert" },
    { type: "code" as const, name: "guess" },
  ];

  it("are those that were deployed", () => {
    expect(() => checkCodeTools({ tools: tools.slice(0, 1) }, [convert(() => "")])).not.toThrow();
    expect(() => checkCodeTools({}, [])).not.toThrow();
  });

  it("are refused with the place of the unknown one", () => {
    expect(() => checkCodeTools({ tools }, [convert(() => "")])).toThrow(
      expect.objectContaining({
        refusal: expect.objectContaining({
          code: "validation_failed",
          errors: [{ pointer: "#/tools/1/name", detail: expect.any(String) }],
        }),
      }),
    );
  });

  it("are none in a deployment as it comes", () => {
    expect(CODE_TOOLS).toEqual([]);
  });
});
