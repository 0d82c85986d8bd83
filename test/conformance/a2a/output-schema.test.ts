// A message that says which JSON its task is to give.
import { expect, it } from "vitest";

import { A2A_EXTENSION } from "../../../protocol/a2a/extension.ts";
import {
  A2A_BINDINGS,
  callA2a,
  messageOf,
  openA2aDesk,
  readTask,
  sendA2a,
} from "../../support/a2a/a2a-desk.ts";

const TOTAL = { type: "object", properties: { total: { type: "number" } }, required: ["total"] };

const SCRIPT = { text: '/structured {"total":2}' };

function schemaPart(output_schema: unknown, more: object = {}) {
  return { data: { [A2A_EXTENSION]: { output_schema, ...more } } };
}

it("a task gives JSON that fits the schema of its message, which is no content", async () => {
  const desk = await openA2aDesk();
  for (const binding of A2A_BINDINGS) {
    const sent = await sendA2a(
      desk,
      messageOf("", { parts: [schemaPart(TOTAL), SCRIPT] }),
      binding,
    );
    const { artifacts, history = [] } = await readTask(desk, sent.id);

    expect(artifacts?.at(-1)).toEqual({
      artifactId: "structured_output",
      parts: [{ data: { total: 2 }, mediaType: "application/json" }],
    });
    expect(history[0]?.parts).toEqual([SCRIPT]);
  }
});

it("a schema that cannot be used is refused, and begins nothing", async () => {
  const desk = await openA2aDesk();
  const wrong = [
    [schemaPart({ type: "array" }), SCRIPT],
    [schemaPart("object"), SCRIPT],
    [schemaPart(null), SCRIPT],
    [schemaPart(TOTAL, { answers: [] }), SCRIPT],
    [schemaPart(TOTAL), schemaPart(TOTAL), SCRIPT],
    [schemaPart(TOTAL)],
  ];
  const codes = [];
  for (const binding of A2A_BINDINGS) {
    for (const parts of wrong) {
      const { error } = await callA2a(desk, binding, "SendMessage", messageOf("", { parts }));
      codes.push(error?.code);
    }
  }
  const { result } = await callA2a<{ tasks: unknown[] }>(desk, "JSONRPC", "ListTasks", {});

  expect(codes).toEqual(A2A_BINDINGS.flatMap((binding) => wrong.map(() => refused(binding))));
  expect(result?.tasks).toEqual([]);
});

function refused(binding: string): number {
  return binding === "JSONRPC" ? -32_602 : 400;
}
