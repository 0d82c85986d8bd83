import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { readStream } from "../../../bench/clients/read-stream.ts";
import { writeScript, type ModelScript } from "../../../bench/model/model-script.ts";
import { startModel, type MockModel } from "../../../bench/model/start-model.ts";

let model: MockModel;

beforeAll(async () => {
  model = await startModel();
});

afterAll(() => model.stop());

const TOOLS = [{ type: "function", function: { name: "look_up" } }];

function request(script: ModelScript, after: readonly object[] = []) {
  const messages = [{ role: "user", content: writeScript(script) }, ...after];
  return {
    url: `${model.baseUrl}/chat/completions`,
    body: JSON.stringify({ model: "mock", stream: true, messages, tools: TOOLS }),
  };
}

async function chunksOf(script: ModelScript, after: readonly object[] = []): Promise<unknown[]> {
  const { url, body } = request(script, after);
  const text = await (await fetch(url, { method: "POST", body })).text();
  return text
    .split("\n\n")
    .filter((event) => event.startsWith("data: {"))
    .map((event) => {
      const { choices } = JSON.parse(event.slice("data: ".length)) as {
        choices: { delta: object; finish_reason: string | null }[];
      };
      return choices[0] ? (choices[0].finish_reason ?? Object.keys(choices[0].delta)) : "usage";
    });
}

describe("the mock model", () => {
  it("writes as many tokens as it was told, in order, at full speed", async () => {
    const reader = await readStream(request({ tokens: 5_000, rate: 0 }));

    expect(reader.agesMs).toHaveLength(5_000);
  });

  it("pads its events to different lengths, with the same tokens", async () => {
    const script = { tokens: 3, rate: 0, isPadded: true };
    const { url, body } = request(script);
    const text = await (await fetch(url, { method: "POST", body })).text();

    const paddings = [...text.matchAll(/"content":"~\w+".*"obfuscation":"(\w+)"\}$/gm)];
    expect(paddings.map(([, padding]) => padding?.length)).toEqual([12, 7, 2]);
    expect((await readStream(request(script))).agesMs).toHaveLength(3);
  });

  it("thinks before it speaks", async () => {
    const chunks = await chunksOf({ tokens: 2, rate: 0, reasoning: 1 });

    expect(chunks).toEqual([
      ["role", "content", "refusal"],
      ["reasoning_content"],
      ["content"],
      ["content"],
      "stop",
      "usage",
    ]);
  });

  it("calls tools as often as it was told, and then speaks", async () => {
    const script = { tokens: 1, rate: 1_000, calls: 1, rounds: 2 };
    const answer = { role: "assistant", tool_calls: [] };

    const calls = [["role", "content", "refusal"], ["tool_calls"], ["tool_calls"], "tool_calls"];
    const text = [["role", "content", "refusal"], ["content"], "stop"];
    expect([
      await chunksOf(script),
      await chunksOf(script, [answer, { role: "tool" }]),
      await chunksOf(script, [answer, { role: "tool" }, answer, { role: "tool" }]),
    ]).toEqual([
      [...calls, "usage"],
      [...calls, "usage"],
      [...text, "usage"],
    ]);
  });

  it("tells who asked it since it was asked last", async () => {
    await model.takeVisits();
    await chunksOf({ tokens: 1, rate: 0 });
    await chunksOf({ tokens: 1, rate: 0 }, [{ role: "assistant" }]);

    const visits = await model.takeVisits();

    expect(
      visits.map(({ askedAt, answeredAt, answered }) => [askedAt < answeredAt, answered]),
    ).toEqual([
      [true, 0],
      [true, 1],
    ]);
    expect(await model.takeVisits()).toEqual([]);
  });
});
