import { describe, expect, it } from "vitest";

import { quantile } from "../../../bench/statistics.ts";
import { readLatencies } from "../../../bench/token-latency.ts";
import { tokenText } from "../../support/fake-openai.ts";

function streamOf(...texts: string[]): Response {
  return new Response(
    new ReadableStream({
      async start(controller) {
        for (const text of texts) {
          controller.enqueue(new TextEncoder().encode(text));
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
        controller.close();
      },
    }),
  );
}

describe("the measured latency of a token", () => {
  it("counts until its last character was read, also when it was merged or cut", async () => {
    const startedAtMs = performance.now();
    const [first, second, third] = [tokenText(0), tokenText(1), tokenText(2)];
    const response = streamOf(
      `{"delta":"${first}${second.slice(0, 3)}`,
      `${second.slice(3)}${third}"}`,
    );

    const latenciesMs = await readLatencies(response, [startedAtMs, startedAtMs, startedAtMs], 3);

    expect(latenciesMs.map((ms) => ms > 15)).toEqual([false, true, true]);
  });

  it("is counted once, at the first sight of the token", async () => {
    const startedAtMs = performance.now();

    const latenciesMs = await readLatencies(streamOf(tokenText(0), tokenText(0)), [startedAtMs], 1);

    expect(latenciesMs.map((ms) => ms < 15)).toEqual([true]);
  });

  it("is refused when a token is missing", async () => {
    await expect(readLatencies(streamOf(tokenText(0)), [0, 0], 2)).rejects.toThrow(
      "1 of 2 tokens arrived",
    );
  });
});

describe("a quantile", () => {
  it("is a value of the list", () => {
    const values = [5, 1, 4, 2, 3];

    expect([0, 0.5, 0.95, 1].map((share) => quantile(values, share))).toEqual([1, 3, 5, 5]);
  });
});
