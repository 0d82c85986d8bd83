import { expect, onTestFinished, test } from "vitest";

import { startDemoTools } from "../../../scripts/demo-tools.ts";

async function start(port = 0): Promise<string> {
  const tools = await startDemoTools(port);
  onTestFinished(() => tools.stop());
  return `http://127.0.0.1:${tools.port}`;
}

async function call(url: string, body: unknown): Promise<{ status: number; body: unknown }> {
  const response = await fetch(url, { method: "POST", body: JSON.stringify(body) });
  return { status: response.status, body: await response.json() };
}

test("looks an order up", async () => {
  const url = await start();

  const answer = await call(`${url}/lookup_order`, {
    tool_call_id: "call_1",
    input: { order_id: "A-1004" },
  });

  expect(answer).toEqual({
    status: 200,
    body: { output: "a linen tablecloth for 46.00 EUR, being packed; nothing has been sent yet." },
  });
});

test("an unknown order is an answer with the state error", async () => {
  const url = await start();

  const answer = await call(`${url}/lookup_order`, {
    tool_call_id: "call_1",
    input: { order_id: "Z-1" },
  });

  expect(answer).toEqual({
    status: 200,
    body: { output: "there is no order Z-1.", state: "error" },
  });
});

test("the same call is one refund, another call is a second one", async () => {
  const url = `${await start()}/refund_order`;
  const first = { tool_call_id: "call_1", input: { order_id: "A-1003" } };
  const second = { tool_call_id: "call_2", input: { order_id: "A-1003", amount: "10.00 EUR" } };

  const answers = [await call(url, first), await call(url, first), await call(url, second)];

  expect(answers.map((answer) => answer.body)).toEqual([
    { output: "72.90 EUR for order A-1003, as refund R-1." },
    { output: "72.90 EUR for order A-1003, as refund R-1." },
    { output: "10.00 EUR for order A-1003, as refund R-2." },
  ]);
});

test("takes a free port when the one it had is taken", async () => {
  const first = await start();

  const second = await start(Number(new URL(first).port));

  expect(second).not.toBe(first);
  expect((await call(`${second}/lookup_order`, "no call")).status).toBe(400);
});
